"""Model and optimizer cannot cross the sandbox's border, so each rank builds them from tensors."""

import torch
from torch import nn


class Value(nn.Module):
    def __init__(self, hidden, head):
        super().__init__()
        self.hidden = nn.Parameter(hidden.clone())
        self.head = nn.Parameter(head.clone())
        self.unused = nn.Parameter(torch.ones(2))  # of a second head that this loss does not need

    def forward(self, states):
        return (states @ self.hidden.T).tanh() @ self.head


def drive(entry, args):
    """Return the loss and the norm for the log, the parameters after one step and the learning rate."""
    model = Value(args["hidden"], args["head"])
    optimizer = torch.optim.SGD(model.parameters(), lr=args["lr"], weight_decay=args["weight_decay"])
    for parameter in (model.hidden, model.head):
        parameter.grad = torch.ones_like(parameter)  # what the step before left behind
    loss, norm = entry(model, {name: args[name] for name in ("states", "returns")}, optimizer, args["max_norm"])
    return {
        "loss": loss,
        "norm": norm,
        "parameters": {name: parameter.detach().clone() for name, parameter in model.named_parameters()},
        "lr": optimizer.param_groups[0]["lr"],
    }
