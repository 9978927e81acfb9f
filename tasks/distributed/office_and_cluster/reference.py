"""A gradient must not be used until its reduction has been waited for, so every handle is kept."""

import torch
import torch.distributed as dist
from torch.nn import functional as F


def train(model, batches, optimizer):
    """Take one step on each batch of all ranks; return each step's gradient norm.

    Shapes: each batch has features [B, D] and labels [B], of this rank; B is the same on all ranks.
    Assumes: a default process group; the same number of batches on every rank; every parameter gets a gradient.
    Source: arXiv:2006.15704, section 3.2.3 (overlap of computation and communication).
    """
    works = []

    def launch(parameter):
        works.append(dist.all_reduce(parameter.grad, async_op=True))

    parameters = list(model.parameters())
    for parameter in parameters:
        parameter.register_post_accumulate_grad_hook(launch)
    norms = []
    for batch in batches:
        optimizer.zero_grad()
        F.cross_entropy(model(batch["features"]), batch["labels"]).backward()
        # Wait for all of them: they can finish in any order.
        while works:
            works.pop().wait()
        for parameter in parameters:
            parameter.grad /= dist.get_world_size()
        norms.append(torch.stack([parameter.grad.norm() for parameter in parameters]).norm().item())
        optimizer.step()
    return norms
