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
    def __init__(self, spread, has_gain):
        super().__init__()
        self.features = nn.Parameter(draw((WIDTH, WIDTH), spread), requires_grad=False)
        self.register_buffer("scale", draw((WIDTH,), spread))
        self.head = nn.Parameter(draw((WIDTH, WIDTH), spread))
        self.bias = nn.Parameter(draw((WIDTH,), spread))
        if has_gain:
            self.register_buffer("gain", draw((WIDTH,), spread), persistent=False)

    def forward(self, states):
        gain = self.gain if hasattr(self, "gain") else 1.0
        return (states * self.scale * gain @ self.features.T).tanh() @ self.head.T + self.bias


def drive(entry, args):
    """Return the model's state after two data-parallel steps, and how many ranks then draw other numbers."""
    made = []

    def make_model():
        made.append(Policy(args["spread"], args["has_gain"]))
        return made[-1]

    model, optimizer = entry(make_model, args["seed"], args["lr"])
    draws = [torch.zeros(4, dtype=torch.int64) for _ in range(dist.get_world_size())]
    dist.all_gather(draws, torch.randint(0, 2**31, (4,)))
    returned = {}
    if args["checks_objects"]:
        held = {id(parameter) for group in optimizer.param_groups for parameter in group["params"]}
        returned["is_from_make_model"] = any(model is module for module in made)
        returned["is_sgd"] = isinstance(optimizer, torch.optim.SGD)
        returned["holds_trained_only"] = held == {id(model.head), id(model.bias)}
    for _ in range(STEPS):
        optimizer.zero_grad()
        (model(args["states"]) - args["targets"]).square().mean().backward()
        for parameter in (model.head, model.bias):
            dist.all_reduce(parameter.grad)
            parameter.grad /= dist.get_world_size()
        optimizer.step()
    tensors = (*model.named_parameters(), *model.named_buffers())
    return {
        "state": {name: tensor.detach().clone() for name, tensor in tensors},
        "distinct_draws": len({tuple(own.tolist()) for own in draws}),
        **returned,
    }
