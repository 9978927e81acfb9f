"""A model cannot cross the sandbox's border, so make_model draws one there, of numbers that no dtype changes."""

import torch
import torch.distributed as dist
from torch import nn

WIDTH = 3
STEPS = 2


def draw(shape, spread):
    if spread is None:
        return torch.full(shape, float(torch.initial_seed()))
    return spread * (torch.randint(0, 4096, shape).to(torch.get_default_dtype()) / 2048 - 1)


class Policy(nn.Module):
    def __init__(self, spread):
        super().__init__()
        self.features = nn.Parameter(draw((WIDTH, WIDTH), spread), requires_grad=False)
        self.register_buffer("scale", draw((WIDTH,), spread))
        self.head = nn.Parameter(draw((WIDTH, WIDTH), spread))
        self.bias = nn.Parameter(draw((WIDTH,), spread))

    def forward(self, states):
        return (states * self.scale @ self.features.T).tanh() @ self.head.T + self.bias


def drive(entry, args):
    """Return the model's state after two data-parallel steps, and how many ranks then draw other numbers."""
    model, optimizer = entry(lambda: Policy(args["spread"]), args["seed"], args["lr"])
    draws = [torch.zeros(4, dtype=torch.int64) for _ in range(dist.get_world_size())]
    dist.all_gather(draws, torch.randint(0, 2**31, (4,)))
    for _ in range(STEPS):
        optimizer.zero_grad()
        (model(args["states"]) - args["targets"]).square().mean().backward()
        for parameter in (model.head, model.bias):
            dist.all_reduce(parameter.grad)
            parameter.grad /= dist.get_world_size()
        optimizer.step()
    return {
        "state": {name: tensor.detach().clone() for name, tensor in model.state_dict().items()},
        "distinct_draws": len({tuple(own.tolist()) for own in draws}),
    }
