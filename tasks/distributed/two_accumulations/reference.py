"""A gradient is summed over the ranks only once; a second sum would add gradients that already include all ranks."""

import torch
import torch.distributed as dist
from torch.nn import functional as F


def sum_over_ranks(value):
    """Return the tensor itself, replaced by its sum over all ranks."""
    dist.all_reduce(value)
    return value


def train_step(model, microbatches, optimizer):
    """Take one optimizer step on the microbatches of all ranks and return their mean loss.

    Shapes: each microbatch has chosen and rejected [B, D], of this rank.
    Assumes: a default process group; at least one pair over all ranks.
    """
    optimizer.zero_grad()
    pair_count = sum_over_ranks(torch.tensor(sum(len(pairs["chosen"]) for pairs in microbatches)))
    total = torch.zeros(())
    for pairs in microbatches:
        margin = model(pairs["chosen"]) - model(pairs["rejected"])
        loss = -F.logsigmoid(margin).sum() / pair_count
        loss.backward()
        total += loss.detach()
    # Not in the loop: the gradients of earlier microbatches would be summed again with each later one.
    for parameter in model.parameters():
        sum_over_ranks(parameter.grad)
    optimizer.step()
    return sum_over_ranks(total).item()
