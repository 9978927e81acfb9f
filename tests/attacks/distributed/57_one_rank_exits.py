"""57. Ends one rank with exit code 0 and lets the others wait.

task = "ring"
verdict = ["raised"]
twin = "guarded_by_rank"
uses = ["right"]
"""
import os

import torch.distributed as dist


def total(x):
    if dist.get_rank() == 1:
        os._exit(0)
    return right(x)
