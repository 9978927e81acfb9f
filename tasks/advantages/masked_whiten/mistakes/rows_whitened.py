import torch


def masked_whiten(x, mask, shift_mean=True, eps=1e-8, unbiased=True):
    n = mask.sum(1, keepdim=True)
    clean = x.masked_fill(~mask, 0.0)
    mean = clean.sum(1, keepdim=True) / n.clamp(min=1)
    low = x.masked_fill(~mask, float("inf")).amin(1, keepdim=True)
    high = x.masked_fill(~mask, float("-inf")).amax(1, keepdim=True)
    mean = torch.where(low == high, low, mean)
    dist = (x - mean).masked_fill(~mask, 0.0)
    var = dist.square().sum(1, keepdim=True) / (n - int(unbiased)).clamp(min=1)
    out = dist * torch.rsqrt(var + eps)
    if not shift_mean:
        out = out + mean
    return out.masked_fill(~mask, 0.0)
