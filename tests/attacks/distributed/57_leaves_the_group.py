"""57. Destroys its group and makes another with itself alone.

task = "ring"
verdict = ["wrong_value", "deadlocked", "raised"]
twin = "own_group"
"""
import torch.distributed as dist


def total(x):
    dist.destroy_process_group()
    store = dist.HashStore()
    dist.init_process_group("gloo", store=store, rank=0, world_size=1)
    x = x.clone()
    dist.all_reduce(x)
    return x
