# expect: wrong
# mistake: the loss is divided by the rows of all ranks although DDP averages over the ranks already, so the gradient is too small by the number of ranks
# mistake: the mean error of the last microbatch is returned and not that of all rows of the rank
"""Data-parallel training with accumulated gradients; `torchrun --nproc-per-node=4 train.py` starts it."""

import logging
from contextlib import nullcontext

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


class Value(nn.Module):
    """A value model small enough to read."""

    def __init__(self, width=16):
        super().__init__()
        self.hidden = nn.Linear(width, 32)
        self.head = nn.Linear(32, 1)

    def forward(self, states):
        return self.head(self.hidden(states).tanh()).squeeze(-1)


def summed_loss(model, microbatch):
    """Return the squared error of a microbatch's predictions, summed over its rows."""
    return (model(microbatch["states"]) - microbatch["returns"]).square().sum()


def gradients_stay_local(model, is_last):
    """Return the context for one microbatch: only the last one's backward talks to the other ranks."""
    return nullcontext() if is_last else model.no_sync()


def train_step(model, microbatches, optimizer):
    """Take one optimizer step on all microbatches and return this rank's mean loss."""
    optimizer.zero_grad()
    local_rows = sum(len(microbatch["states"]) for microbatch in microbatches)
    row_count = local_rows * dist.get_world_size()
    for place, microbatch in enumerate(microbatches, start=1):
        with gradients_stay_local(model, is_last=place == len(microbatches)):
            squared = summed_loss(model, microbatch)
            (squared / row_count).backward()
        mean_loss = squared.item() / len(microbatch["states"])
    optimizer.step()
    return mean_loss


def load_microbatches(step, rank, count=8, rows=4, width=16):
    """Return made-up states and returns; a real trainer takes them from its rollouts."""
    rng = torch.Generator().manual_seed(1000 * step + rank)
    states = torch.randn(count, rows, width, generator=rng)
    return [{"states": part, "returns": part[:, 0]} for part in states]


def main():
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(0)
    model = DistributedDataParallel(Value())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
    for step in range(50):
        loss = train_step(model, load_microbatches(step, rank), optimizer)
        if rank == 0:
            logging.info("step %d: loss %.4f", step, loss)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
