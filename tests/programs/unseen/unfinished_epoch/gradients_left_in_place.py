# expect: wrong
# mistake: A rank without a batch does not clear its gradients, so the sum of the step before is added again.
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
        if parameter.grad is None and parameter.requires_grad:
            parameter.grad = torch.zeros_like(parameter)
        if parameter.grad is not None:
            sum_over_ranks(parameter.grad)


def train_epoch(model, batches, optimizer):
    """Take one step on each batch of the epoch and return the losses of the steps."""
    losses = []
    batches = iter(batches)
    finished = False
    while True:
        batch = None
        if not finished:
            try:
                batch = next(batches)
            except StopIteration:
                finished = True
        row_count = sum_over_ranks(torch.tensor(0 if finished else len(batch["states"])))
        if int(row_count) == 0:
            return losses
        loss = torch.zeros((), dtype=torch.float64)
        if not finished:
            optimizer.zero_grad()
            own = (model(batch["states"]) - batch["returns"]).square().sum() / row_count
            own.backward()
            loss = own.detach().double()
        sync_gradients(model)
        optimizer.step()
        losses.append(sum_over_ranks(loss).item())


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
