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


def train_epoch(model, batches, optimizer):
    """Take one step on each batch of the epoch and return the losses of the steps."""
    losses = []
    remaining = iter(batches)
    while True:
        batch = next(remaining, None)
        optimizer.zero_grad()
        total, rows = 0.0, 0
        if batch is not None:
            loss = (model(batch["states"]) - batch["returns"]).square().sum()
            loss.backward()
            total, rows = loss.item(), len(batch["states"])
        parameters = list(model.parameters())
        parts = [torch.zeros(p.numel()) if p.grad is None else p.grad.flatten() for p in parameters]
        message = sum_over_ranks(torch.cat([*parts, torch.tensor([total, float(rows)])]))
        if message[-1] == 0:
            return losses
        message /= message[-1].clone()
        for parameter, part in zip(parameters, message[:-2].split([p.numel() for p in parameters]), strict=True):
            parameter.grad = part.view_as(parameter).clone()
        optimizer.step()
        losses.append(message[-2].item())


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
