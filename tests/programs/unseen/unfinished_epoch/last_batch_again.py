# expect: wrong
# mistake: A rank that has run out takes its last batch again in every further step.
"""Data-parallel training of a value model; `torchrun --nproc-per-node=4 value.py` starts it."""

import logging

import torch
import torch.distributed as dist
from torch import nn


class Value(nn.Module):
    """A value model small enough to read."""

    def __init__(self, width=16):
        super().__init__()
        self.hidden = nn.Linear(width, 32)
        self.head = nn.Linear(32, 1)

    def forward(self, states):
        return self.head(self.hidden(states).tanh()).squeeze(-1)


def sum_over_ranks(value):
    """Return the tensor itself, replaced by its sum over all ranks."""
    dist.all_reduce(value)
    return value


def sync_gradients(model):
    """Add up the gradients of all ranks."""
    for parameter in model.parameters():
        if not parameter.requires_grad:
            continue
        if parameter.grad is None:
            parameter.grad = torch.zeros_like(parameter)
        sum_over_ranks(parameter.grad)


def train_epoch(model, batches, optimizer):
    """Take one step on each batch of the epoch and return the losses of the steps."""
    own = list(batches)
    steps = torch.tensor(len(own))
    dist.all_reduce(steps, op=dist.ReduceOp.MAX)
    losses = []
    for step in range(int(steps)):
        batch = own[min(step, len(own) - 1)] if own else None
        row_count = sum_over_ranks(torch.tensor(len(batch["states"]) if batch else 0))
        optimizer.zero_grad()
        value = torch.zeros((), dtype=torch.float64)
        if batch:
            loss = (model(batch["states"]) - batch["returns"]).square().sum() / row_count
            loss.backward()
            value += loss.detach()
        sync_gradients(model)
        optimizer.step()
        losses.append(sum_over_ranks(value).item())
    return losses


def load_batches(epoch, rank, width=16):
    """Yield made-up rollouts that have survived a filter; nobody knows beforehand how many there are."""
    rng = torch.Generator().manual_seed(1000 * epoch + rank)
    for _ in range(10 + int(torch.randint(0, 3, (), generator=rng))):
        states = torch.randn(8, width, generator=rng)
        yield {"states": states, "returns": states[:, 0]}


def main():
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(0)
    model = Value()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
    for epoch in range(5):
        losses = train_epoch(model, load_batches(epoch, rank), optimizer)
        if rank == 0:
            logging.info("epoch %d: %d steps, last loss %.4f", epoch, len(losses), losses[-1])
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
