"""Logs on rank 0 alone and waits at a barrier.

task = "ring"
uses = ["right"]
"""
import torch.distributed as dist


def total(x):
    answer = right(x)
    if dist.get_rank() == 0:
        print("total", answer)
    dist.barrier()
    return answer
