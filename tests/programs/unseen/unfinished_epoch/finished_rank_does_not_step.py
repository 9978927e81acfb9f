# expect: wrong
# mistake: A rank that has no batch left takes part in the sums but does not step its optimizer, so its parameters stay behind.
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


def sync_gradients(model, has_batch):
    """Add up the gradients of all ranks."""
    for parameter in model.parameters():
        if parameter.requires_grad:
            gradient = parameter.grad if has_batch else torch.zeros_like(parameter)
            sum_over_ranks(gradient)


def train_epoch(model, batches, optimizer):
    """Take one step on each batch of the epoch and return the losses of the steps."""
    losses = []
    stream = iter(batches)
    batch = next(stream, None)
    while True:
        rows = torch.tensor(0 if batch is None else len(batch["states"]))
        if sum_over_ranks(rows) == 0:
            return losses
        if batch is None:
            sync_gradients(model, has_batch=False)
            value = torch.zeros((), dtype=torch.float64)
        else:
            optimizer.zero_grad()
            loss = (model(batch["states"]) - batch["returns"]).square().sum() / rows
            loss.backward()
            sync_gradients(model, has_batch=True)
            optimizer.step()
            value = loss.detach().double()
        losses.append(sum_over_ranks(value).item())
        batch = next(stream, None)


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
