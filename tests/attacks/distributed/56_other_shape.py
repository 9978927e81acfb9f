"""56. Meets an all_reduce with one of another size.

task = "ring"
verdict = ["deadlocked", "raised"]
twin = "gathers"
"""
import torch
import torch.distributed as dist


def total(x):
    x = x.clone() if dist.get_rank() == 0 else torch.zeros(1000)
    dist.all_reduce(x)
    return x
