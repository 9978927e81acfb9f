"""55. Skips the collective on one rank.

task = "ring"
verdict = ["deadlocked"]
twin = "guarded_by_rank"
"""
import torch.distributed as dist


def total(x):
    x = x.clone()
    if dist.get_rank() == 0:
        dist.all_reduce(x)
    return x
