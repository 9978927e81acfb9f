# expect: wrong
# mistake: The loss is the mean over the ranks of each rank's mean, so rows of a small batch weigh more than those of a large one.
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
    parameters = [p for p in model.parameters() if p.requires_grad]
    losses = []
    it = iter(batches)
    while True:
        batch = next(it, None)
        active = sum_over_ranks(torch.tensor(0.0 if batch is None else 1.0))
        if active.item() == 0:
            break
        optimizer.zero_grad()
        loss_value = torch.zeros((), dtype=torch.float64)
        if batch is not None:
            loss = torch.nn.functional.mse_loss(model(batch["states"]), batch["returns"])
            loss.backward()
            loss_value += loss.detach()
        for p in parameters:
            if p.grad is None:
                p.grad = torch.zeros_like(p)
            sum_over_ranks(p.grad)
            p.grad /= active.to(p.dtype)
        optimizer.step()
        losses.append((sum_over_ranks(loss_value) / active).item())
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
