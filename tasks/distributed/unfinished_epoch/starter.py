"""Data-parallel training of a value model; start it with `torchrun --nproc-per-node=4 value.py`."""

import logging

import torch
import torch.distributed as dist
from torch import nn


class Value(nn.Module):
    """A small value model."""

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
    """Sum the gradients over all ranks."""
    for parameter in model.parameters():
        if parameter.grad is not None:
            sum_over_ranks(parameter.grad)


def step_loss(model, batch):
    """Return this rank's share of the mean squared error over the rows of all ranks in this step."""
    row_count = sum_over_ranks(torch.tensor(len(batch["states"])))
    return (model(batch["states"]) - batch["returns"]).square().sum() / row_count


def train_epoch(model, batches, optimizer):
    """Take one step on each batch of the epoch and return the losses of the steps."""
    losses = []
    for batch in batches:
        optimizer.zero_grad()
        loss = step_loss(model, batch)
        loss.backward()
        sync_gradients(model)
        optimizer.step()
        losses.append(sum_over_ranks(loss.detach()).item())
    return losses


def load_batches(epoch, rank, width=16):
    """Yield synthetic rollouts that passed a filter; their number is not known in advance."""
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
