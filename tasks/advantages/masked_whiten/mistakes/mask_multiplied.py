import torch


def masked_whiten(x, mask, shift_mean=True, eps=1e-8, unbiased=True):
    m = mask.to(x.dtype)
    n = m.sum()
    mean = (x * m).sum() / n.clamp(min=1)
    values = x[mask]
    if n > 0 and (values == values[0]).all():
        mean = values[0]
    dist = (x - mean) * m
    var = dist.pow(2).sum() / (n - int(unbiased)).clamp(min=1)
    out = dist * torch.rsqrt(var + eps)
    if not shift_mean:
        out = out + mean
    return out * m
