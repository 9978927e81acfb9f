"""55. Calls one more collective on one rank.

task = "ring"
verdict = ["deadlocked"]
twin = "guarded_by_rank"
uses = ["right"]
"""
import torch.distributed as dist


def total(x):
    answer = right(x)
    if dist.get_rank() == 1:
        dist.barrier()
    return answer
