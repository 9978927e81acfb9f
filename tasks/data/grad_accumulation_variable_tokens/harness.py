"""Builds the model from tensors and watches that forward and backward passes take turns."""

import torch
from torch import nn


class TokenLoss(nn.Module):
    def __init__(self, weight, head):
        super().__init__()
        self.weight = nn.Parameter(weight.clone())
        self.head = nn.Parameter(head.clone())
        self.open_graphs = self.most_open = 0

    def forward(self, inputs):
        losses = torch.tanh(inputs @ self.weight) @ self.head
        if losses.requires_grad:
            self.open_graphs += 1
            self.most_open = max(self.most_open, self.open_graphs)
            losses.register_hook(self._closed)
        return losses

    def _closed(self, _slope):
        self.open_graphs -= 1


def drive(entry, args):
    """Return loss, norm, the gradients left in the parameters and whether one graph at a time was enough."""
    model = TokenLoss(args["weight"], args["head"])
    loss, grad_norm = entry(model, args["microbatches"], args["mode"], args["L_norm"], args["max_norm"])
    gradients = {
        name: torch.zeros_like(parameter) if parameter.grad is None else parameter.grad.clone()
        for name, parameter in model.named_parameters()
    }
    return {
        "loss": loss,
        "grad_norm": grad_norm,
        "gradients": gradients,
        "has_one_graph_at_a_time": model.most_open <= 1,
        "loss_is_detached": not loss.requires_grad,
    }
