import torch
import torch.distributed as dist


def add_up(number, *groups):
    for group in groups:
        dist.all_reduce(number, group=group)
    return number


def distributed_masked_whiten(x, mask, dp_group, cp_group, eps=1e-8, unbiased=True):
    values = x[mask]
    count, total, squares = add_up(
        torch.stack([mask.sum().to(x.dtype), values.sum(), values.square().sum()]), dp_group, cp_group
    )
    mean = total / count.clamp(min=1)
    variance = (squares / count.clamp(min=1) - mean.square()).clamp(min=0)
    if unbiased and count > 1:
        variance = variance * count / (count - 1)
    whitened = torch.zeros_like(x)
    whitened[mask] = (values - mean) / (variance + eps).sqrt()
    return whitened
