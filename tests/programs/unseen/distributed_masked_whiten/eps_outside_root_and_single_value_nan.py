# expect: wrong
# mistake: Two mistakes: eps is added to the standard deviation instead of to the variance, and a single unmasked value with unbiased=True divides 0 by 0 and gives NaN.
import torch
import torch.distributed as dist


@torch.no_grad()
def distributed_masked_whiten(x, mask, dp_group, cp_group, eps=1e-8, unbiased=True):
    groups = [g for g in (dp_group, cp_group) if dist.get_world_size(g) > 1]

    def reduce(t):
        for g in groups:
            dist.all_reduce(t, group=g)
        return t

    picked = x[mask].double()
    n = reduce(torch.tensor(picked.numel(), dtype=torch.int64)).item()
    mean = reduce(picked.sum()) / max(n, 1)
    ss = reduce((picked - mean).square().sum())

    result = torch.zeros_like(x)
    if n == 0:
        return result
    var = ss / (n - 1) if unbiased else ss / n
    result[mask] = ((picked - mean) / (var.sqrt() + eps)).float()
    return result
