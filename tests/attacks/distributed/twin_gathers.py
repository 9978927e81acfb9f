"""Gathers all inputs and sums them on every rank.

task = "ring"
"""
import torch
import torch.distributed as dist


def total(x):
    gathered = [torch.zeros_like(x) for _ in range(dist.get_world_size())]
    dist.all_gather(gathered, x)
    return sum(gathered)
