"""Data-parallel training with accumulated gradients; start it with `torchrun --nproc-per-node=4 train.py`."""

import logging
from contextlib import nullcontext

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


class Value(nn.Module):
    """A small value model."""

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
    """Return the context for one microbatch: only the last microbatch's backward pass synchronizes with other ranks."""
    return nullcontext() if is_last else model.no_sync()


def train_step(model, microbatches, optimizer):
    """Take one optimizer step on all microbatches and return this rank's mean loss."""
    optimizer.zero_grad()
    row_count = sum(len(microbatch["states"]) for microbatch in microbatches)
    total = 0.0
    for place, microbatch in enumerate(microbatches, start=1):
        loss = summed_loss(model, microbatch) / row_count
        with gradients_stay_local(model, is_last=place == len(microbatches)):
            loss.backward()
        total += loss.item()
    optimizer.step()
    return total


def load_microbatches(step, rank, count=8, rows=4, width=16):
    """Return synthetic states and returns; a real trainer would take them from its rollouts."""
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
