import torch
import torch.distributed as dist


def add_up(number, *groups):
    for group in groups:
        dist.all_reduce(number, group=group)
    return number


def distributed_masked_whiten(x, mask, dp_group, cp_group, eps=1e-8, unbiased=True):
    values = x[mask].double()
    own_count = mask.sum().clamp(min=1)
    own_mean = values.sum() / own_count
    own_variance = (values - own_mean).square().sum() / (own_count - int(unbiased)).clamp(min=1)
    ranks = dp_group.size() * cp_group.size()
    mean = add_up(own_mean.clone(), dp_group, cp_group) / ranks
    deviation = add_up((own_variance + eps).sqrt(), dp_group, cp_group) / ranks
    whitened = torch.zeros_like(x)
    whitened[mask] = ((values - mean) / deviation).to(x.dtype)
    return whitened
