import torch


def masked_whiten(x, mask, shift_mean=True, eps=1e-8, unbiased=True):
    clean = x.masked_fill(~mask, 0.0)
    mean = clean.mean()
    n = clean.numel()
    var = clean.var(unbiased=unbiased and n > 1)
    if (x[mask] == x[mask][:1]).all():
        mean, var = (x[mask][0] if mask.any() else mean), var * 0
    out = (clean - mean) * torch.rsqrt(var + eps)
    if not shift_mean:
        out = out + mean
    return out.masked_fill(~mask, 0.0)
