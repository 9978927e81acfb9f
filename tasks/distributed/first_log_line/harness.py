"""Model and optimizer cannot cross the sandbox's border, so each rank builds them from tensors."""

import torch
import torch.distributed as dist
from torch import nn


class Scorer(nn.Module):
    def __init__(self, hidden, head):
        super().__init__()
        self.hidden = nn.Parameter(hidden.clone())
        self.head = nn.Parameter(head.clone())

    def forward(self, features):
        return (features @ self.hidden.T).tanh() @ self.head


def drive(entry, args):
    """Return the log of rank 0, how many lines this rank's log has, and the parameters after the last step."""
    model = Scorer(args["hidden"], args["head"])
    optimizer = torch.optim.SGD(model.parameters(), lr=args["lr"])
    for parameter in model.parameters():
        parameter.grad = torch.ones_like(parameter)  # what somebody else left behind
    logged = entry(model, iter(args["batches"]), optimizer, args["log_every"])
    weights = {name: parameter.detach().clone() for name, parameter in model.named_parameters()}
    told = {"logged": logged} if dist.get_rank() == 0 else {}
    return {**told, "parameters": weights, "lines": len(logged)}
