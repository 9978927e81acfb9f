# expect: wrong
# mistake: Sum, mean and deviations are computed in float32, so the mean is off by rounding errors, and equal values do not always give 0.
import torch
import torch.distributed as dist


def distributed_masked_whiten(x, mask, dp_group, cp_group, eps=1e-8, unbiased=True) -> torch.Tensor:
    clean = x.masked_fill(~mask, 0.0)

    stats = torch.stack([clean.sum(), mask.sum().to(torch.float32)])
    dist.all_reduce(stats, group=cp_group)
    dist.all_reduce(stats, group=dp_group)
    total, n = stats[0], stats[1]
    mean = total / n.clamp(min=1.0)

    dev = (clean - mean).masked_fill(~mask, 0.0)
    sq = dev.pow(2).sum()
    dist.all_reduce(sq, group=cp_group)
    dist.all_reduce(sq, group=dp_group)

    dof = n - 1.0 if unbiased else n
    var = sq / dof.clamp(min=1.0)
    return dev / torch.sqrt(var + eps)
