"""Model and optimizer cannot cross the sandbox's border, so each rank builds them from tensors."""

import torch
from torch import nn


class Bigram(nn.Module):
    def __init__(self, embed, head):
        super().__init__()
        self.embed = nn.Parameter(embed.clone())
        self.head = nn.Parameter(head.clone())

    def forward(self, tokens):
        return self.embed[tokens] @ self.head.T


def drive(entry, args):
    """Return the loss for the log, the parameters after one step and the learning rate."""
    model = Bigram(args["embed"], args["head"])
    optimizer = torch.optim.SGD(model.parameters(), lr=args["lr"])
    for parameter in model.parameters():
        parameter.grad = torch.ones_like(parameter)  # what the step before left behind
    batch = {name: args[name] for name in ("tokens", "mask", "advantages")}
    loss = entry(model, batch, optimizer)
    return {
        "loss": loss,
        "parameters": {name: parameter.detach().clone() for name, parameter in model.named_parameters()},
        "lr": optimizer.param_groups[0]["lr"],
    }
