# expect: wrong
# mistake: The sums are reduced over all ranks, so copies on tensor-parallel ranks count as separate tokens, and the unbiased variance divides by tp_size * n - 1 after summing every deviation tp_size times.
import torch
import torch.distributed as dist


def distributed_masked_whiten(x, mask, dp_group, cp_group, eps=1e-8, unbiased=True) -> torch.Tensor:
    zeros = torch.zeros_like(x, dtype=torch.float64)
    vals = torch.where(mask, x.double(), zeros)

    stats = torch.stack([vals.sum(), mask.sum().double()])
    dist.all_reduce(stats, op=dist.ReduceOp.SUM)
    count = stats[1]
    if count.item() == 0:
        return torch.zeros_like(x)
    mean = stats[0] / count

    centered = torch.where(mask, vals - mean, zeros)
    sq_sum = centered.square().sum()
    dist.all_reduce(sq_sum, op=dist.ReduceOp.SUM)

    if unbiased:
        var = sq_sum / (count - 1).clamp(min=1)
    else:
        var = sq_sum / count
    return (centered * torch.rsqrt(var + eps)).float()
