# expect: right
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


def squared_error(model, batch):
    """Return the sum of the squared errors over the rows of a batch."""
    return (model(batch["states"]) - batch["returns"]).square().sum()


def own_contribution(model, parameters, batch):
    """Return one flat vector: the gradient of the summed squared error, that sum, and the number of rows."""
    size = sum(parameter.numel() for parameter in parameters)
    if batch is None:
        return torch.zeros(size + 2, dtype=torch.float64)
    error = squared_error(model, batch)
    gradients = torch.autograd.grad(error, parameters)
    pieces = [gradient.reshape(-1).double() for gradient in gradients]
    pieces.append(torch.tensor([error.item(), len(batch["states"])], dtype=torch.float64))
    return torch.cat(pieces)


def train_epoch(model, batches, optimizer):
    """Take one step on each batch of the epoch and return the losses of the steps."""
    parameters = [parameter for parameter in model.parameters() if parameter.requires_grad]
    sizes = [parameter.numel() for parameter in parameters]
    losses = []
    remaining = iter(batches)
    while True:
        flat = own_contribution(model, parameters, next(remaining, None))
        dist.all_reduce(flat)
        rows = flat[-1].item()
        if rows == 0:
            break
        flat = flat / rows
        for parameter, gradient in zip(parameters, flat[:-2].split(sizes)):
            parameter.grad = gradient.view_as(parameter).to(parameter.dtype)
        optimizer.step()
        losses.append(flat[-2].item())
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
