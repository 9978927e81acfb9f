import torch
import torch.distributed as dist


class Everyone:
    """Reductions over all ranks that hold different tokens."""

    def __init__(self, *groups):
        self.groups = groups

    def __call__(self, tensor, op=dist.ReduceOp.SUM):
        result = tensor.clone()
        for group in self.groups:
            dist.all_reduce(result, op=op, group=group)
        return result


def distributed_masked_whiten(x, mask, dp_group, cp_group, eps=1e-8, unbiased=True):
    reduce = Everyone(dp_group, cp_group)
    clean = torch.where(mask, x, torch.zeros(()))
    n = int(reduce(mask.sum()))
    largest = reduce(torch.cat([x[mask], torch.tensor([-torch.inf])]).max(), dist.ReduceOp.MAX)
    smallest = reduce(torch.cat([x[mask], torch.tensor([torch.inf])]).min(), dist.ReduceOp.MIN)
    mean = reduce(clean.sum()) / max(n, 1)
    centered = torch.where(mask, clean - mean, torch.zeros(()))
    # A second look at the mean: what is left of it after the first subtraction.
    centered = torch.where(mask, centered - reduce(centered.sum()) / max(n, 1), torch.zeros(()))
    variance = reduce(centered.pow(2).sum()) / max(n - 1 if unbiased else n, 1)
    if n == 0 or largest == smallest:
        return torch.zeros_like(x)
    return centered * torch.rsqrt(variance + eps)
