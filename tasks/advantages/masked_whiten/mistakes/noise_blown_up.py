import torch


def masked_whiten(x, mask, shift_mean=True, eps=1e-8, unbiased=True):
    n = mask.sum()
    clean = x.masked_fill(~mask, 0.0)
    mean = clean.sum() / n.clamp(min=1)
    dist = (x - mean).masked_fill(~mask, 0.0)
    var = dist.square().sum() / (n - int(unbiased)).clamp(min=1)
    out = dist * torch.rsqrt(var + eps)
    if not shift_mean:
        out = out + mean
    return out.masked_fill(~mask, 0.0)
