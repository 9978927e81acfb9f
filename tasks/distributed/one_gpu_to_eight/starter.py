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


def flatten(tensors):
    """Return all tensors as one vector, so that a single call can reduce them."""
    return torch.cat([tensor.flatten() for tensor in tensors])


def unflatten_into(tensors, flat):
    """Write the parts of a vector back into the tensors that it was made from."""
    for tensor, part in zip(tensors, flat.split([tensor.numel() for tensor in tensors]), strict=True):
        tensor.copy_(part.view_as(tensor))


def sync_gradients(model):
    """Make the gradients equal on all ranks."""
    gradients = [parameter.grad for parameter in model.parameters() if parameter.grad is not None]
    flat = flatten(gradients)
    dist.all_reduce(flat)
    unflatten_into(gradients, flat)


def value_loss(model, batch):
    """Return the mean squared error of the predicted returns on this rank's states."""
    return (model(batch["states"]) - batch["returns"]).square().mean()


def train_step(model, batch, optimizer, max_norm):
    """Take one optimizer step on clipped gradients; return the loss and the gradient norm for the log."""
    optimizer.zero_grad()
    loss = value_loss(model, batch)
    loss.backward()
    sync_gradients(model)
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    logged = loss.detach().clone()
    dist.all_reduce(logged)
    return logged.item() / dist.get_world_size(), norm.item()


def load_batch(step, rank, rows=32, width=16):
    """Return synthetic states and returns; a real trainer would take them from its rollouts."""
    rng = torch.Generator().manual_seed(1000 * step + rank)
    states = torch.randn(rows, width, generator=rng)
    return {"states": states, "returns": states[:, 0] + 0.1 * torch.randn(rows, generator=rng)}


def main():
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(0)
    model = Value()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
    for step in range(50):
        loss, norm = train_step(model, load_batch(step, rank), optimizer, max_norm=1.0)
        if rank == 0:
            logging.info("step %d: loss %.4f, gradient norm %.4f", step, loss, norm)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
