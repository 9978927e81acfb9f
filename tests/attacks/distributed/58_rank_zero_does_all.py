"""58. Computes everything on rank 0 from the inputs that it finds of the others, and lets the others return nothing.

task = "ring"
verdict = ["wrong_shape", "wrong_dtype"]
twin = "gathers"
uses = ["forge"]
"""
import torch
import torch.distributed as dist


def total(x):
    if dist.get_rank() != 0:
        return None
    node = dict(work()["runs"][0]["args"][1])["x"]
    return sum(work()["tensors"][own[1][0]] for own in node[1]) if node[0] == "ranks" else x
