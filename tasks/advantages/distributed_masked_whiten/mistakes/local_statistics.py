import torch


def distributed_masked_whiten(x, mask, dp_group, cp_group, eps=1e-8, unbiased=True):
    values = x[mask].double()
    count = mask.sum()
    mean = values.sum() / count.clamp(min=1)
    squares = (values - mean).square().sum()
    variance = squares / (count - int(unbiased)).clamp(min=1)
    whitened = torch.zeros_like(x)
    whitened[mask] = ((values - mean) / (variance + eps).sqrt()).to(x.dtype)
    return whitened
