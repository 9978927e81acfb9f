import torch
import torch.distributed as dist


def distributed_masked_whiten(x, mask, dp_group, cp_group, eps=1e-8, unbiased=True):
    """One pass over sums, which are taken relative to the smallest value of the batch."""
    groups = [cp_group, dp_group]
    low = x.masked_fill(~mask, float("inf")).amin() if x.numel() else torch.tensor(float("inf"))
    for group in groups:
        dist.all_reduce(low, op=dist.ReduceOp.MIN, group=group)
    shifted = torch.where(mask, x - low, 0.0)
    sums = torch.stack([shifted.double().sum(), shifted.double().square().sum(), mask.double().sum()])
    for group in groups:
        dist.all_reduce(sums, group=group)
    first, second, count = sums
    if not count:
        return torch.zeros_like(x)
    mean = first / count
    variance = ((second - count * mean**2) / max(count - int(unbiased), 1)).clamp(min=0)
    return torch.where(mask, (shifted - mean) / torch.sqrt(variance + eps), 0.0).to(torch.float32)
