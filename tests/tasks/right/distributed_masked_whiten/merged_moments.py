import torch
import torch.distributed as dist


def merge(left, right):
    """Merge (count, mean, sum of squared deviations) of two disjoint sets of numbers."""
    count = left[0] + right[0]
    if count == 0:
        return left
    delta = right[1] - left[1]
    return (
        count,
        left[1] + delta * right[0] / count,
        left[2] + right[2] + delta**2 * left[0] * right[0] / count,
    )


def gather(moments, group):
    everyone = [None] * dist.get_world_size(group)
    dist.all_gather_object(everyone, moments, group=group)
    result = everyone[0]
    for other in everyone[1:]:
        result = merge(result, other)
    return result


def distributed_masked_whiten(x, mask, dp_group, cp_group, eps=1e-8, unbiased=True):
    kept = x[mask].to(torch.float64)
    n = kept.numel()
    mean = float(kept.mean()) if n else 0.0
    mine = (n, mean, float(((kept - mean) ** 2).sum()))
    n, mean, m2 = gather(gather(mine, cp_group), dp_group)
    degrees = n - 1 if unbiased else n
    variance = m2 / degrees if degrees > 0 else 0.0
    out = (x.to(torch.float64) - mean) / (variance + eps) ** 0.5
    return out.float().masked_fill(~mask, 0.0)
