import torch
import torch.distributed as dist


def add_up(number, *groups):
    for group in groups:
        dist.all_reduce(number, group=group)
    return number


def distributed_masked_whiten(x, mask, dp_group, cp_group, eps=1e-8, unbiased=True):
    values = x[mask].double()
    count = add_up(mask.sum(), dp_group).clamp(min=1)
    mean = add_up(values.sum(), dp_group) / count
    squares = add_up((values - mean).square().sum(), dp_group)
    variance = squares / (count - int(unbiased)).clamp(min=1)
    chunks = cp_group.size()
    mean = add_up(mean, cp_group) / chunks
    variance = add_up(variance, cp_group) / chunks
    whitened = torch.zeros_like(x)
    whitened[mask] = ((values - mean) / (variance + eps).sqrt()).to(x.dtype)
    return whitened
