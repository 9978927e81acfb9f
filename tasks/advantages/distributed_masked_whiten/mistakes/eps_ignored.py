import torch
import torch.distributed as dist


def add_up(number, *groups):
    for group in groups:
        dist.all_reduce(number, group=group)
    return number


def distributed_masked_whiten(x, mask, dp_group, cp_group, eps=1e-8, unbiased=True):
    values = x[mask].double()
    count = add_up(mask.sum(), dp_group, cp_group)
    mean = add_up(values.sum(), dp_group, cp_group) / count.clamp(min=1)
    squares = add_up((values - mean).square().sum(), dp_group, cp_group)
    variance = squares / (count - int(unbiased)).clamp(min=1)
    whitened = torch.zeros_like(x)
    whitened[mask] = ((values - mean) / (variance + 1e-8).sqrt()).to(x.dtype)
    return whitened
