"""56. Meets an all_reduce with a broadcast.

task = "ring"
verdict = ["deadlocked"]
twin = "gathers"
"""
import torch.distributed as dist


def total(x):
    x = x.clone()
    if dist.get_rank() == 0:
        dist.all_reduce(x)
    else:
        dist.broadcast(x, src=1)
    return x
