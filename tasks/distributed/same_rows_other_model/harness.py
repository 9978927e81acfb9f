"""Model and optimizer cannot cross the sandbox's border, so each rank builds them from tensors."""

import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel


class Bigram(nn.Module):
    def __init__(self, embed, head):
        super().__init__()
        self.embed = nn.Parameter(embed.clone())
        self.head = nn.Parameter(head.clone())

    def forward(self, tokens):
        return self.embed[tokens] @ self.head.T


def drive(entry, args):
    """Return the loss for the log and the parameters after one step."""
    model = Bigram(args["embed"], args["head"])
    for parameter in model.parameters():
        parameter.grad = torch.ones_like(parameter)  # what the step before left behind
    wrapped = DistributedDataParallel(model)
    optimizer = torch.optim.SGD(wrapped.parameters(), lr=args["lr"])
    loss = entry(wrapped, {name: args[name] for name in ("tokens", "is_answer")}, optimizer)
    return {
        "loss": loss,
        "parameters": {name: parameter.detach().clone() for name, parameter in model.named_parameters()},
    }
