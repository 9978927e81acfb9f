"""Data-parallel training without a wrapper; start it with `torchrun --nproc-per-node=4 train.py`."""

import logging

import torch
import torch.distributed as dist
from torch import nn

DECAY = 0.01


class Policy(nn.Module):
    """A policy over a few actions, with frozen features and a fixed scale for its inputs."""

    def __init__(self, width=16, actions=4):
        super().__init__()
        self.features = nn.Linear(width, 32).requires_grad_(False)
        self.head = nn.Linear(32, actions)
        self.register_buffer("scale", 0.5 + torch.rand(width))

    def forward(self, states):
        return self.head(self.features(states * self.scale).tanh())


def seed_everything(seed):
    """Seed this rank; different ranks must not sample the same actions."""
    torch.manual_seed(seed + dist.get_rank())


def weight_decay_groups(model):
    """Return parameter groups for the optimizer: weight decay for matrices, none for vectors."""
    parameters = [parameter for parameter in model.parameters() if parameter.requires_grad]
    return [
        {"params": [parameter for parameter in parameters if parameter.dim() >= 2], "weight_decay": DECAY},
        {"params": [parameter for parameter in parameters if parameter.dim() < 2], "weight_decay": 0.0},
    ]


def setup(make_model, seed, lr):
    """Return this rank's model and an optimizer for its parameters, ready for data-parallel training."""
    seed_everything(seed)
    model = make_model()
    optimizer = torch.optim.SGD(weight_decay_groups(model), lr=lr)
    return model, optimizer


def average_gradients(model):
    """Make the gradients of all ranks equal to their mean; the training loop calls this after backward."""
    for parameter in model.parameters():
        if parameter.grad is not None:
            dist.all_reduce(parameter.grad)
            parameter.grad /= dist.get_world_size()


def main():
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    dist.init_process_group("gloo")
    model, optimizer = setup(Policy, seed=0, lr=0.5)
    for _ in range(100):
        states = torch.randn(32, 16)
        logprobs = model(states).log_softmax(dim=-1)
        actions = logprobs.exp().multinomial(1)
        rewards = (actions[:, 0] == states[:, :4].argmax(dim=1)).float()
        loss = -((rewards - rewards.mean()) * logprobs.gather(1, actions)[:, 0]).mean()
        optimizer.zero_grad()
        loss.backward()
        average_gradients(model)
        optimizer.step()
    total = sum(parameter.sum().item() for parameter in model.parameters())
    logging.info("rank %d: loss %.4f, sum of weights %.6f", dist.get_rank(), loss.item(), total)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
