"""Gathers all inputs and sums them by name, in one order on every rank.

task = "seeded_ring"
"""
import torch
import torch.distributed as dist


def total(x):
    sums = {}
    for name in sorted({"head", "bias", "scale"}):
        gathered = [torch.zeros_like(x) for _ in range(dist.get_world_size())]
        dist.all_gather(gathered, x)
        sums[name] = sum(gathered)
    return sums["head"]
