"""The Fisher matrix diag(p) - p p' maps x to p * (x - p'x), so the system is solved without forming the matrix."""

import torch


def natural_gradient_softmax(logits, grad, legal):
    """Return the natural gradient [B, A] of each row, and the rate [B] at which the objective rises along it.

    Shapes: all inputs [B, A].
    Source: Kakade (2001), A Natural Policy Gradient, section 2.
    """
    probs = logits.masked_fill(~legal, -torch.inf).softmax(dim=1)
    grad = grad.masked_fill(~legal, 0.0)
    # One solution is grad / p; adding a constant to all legal actions gives the others.
    ratio = grad / probs.masked_fill(~legal, 1.0)
    mean = ratio.sum(dim=1, keepdim=True) / legal.sum(dim=1, keepdim=True)
    nat = (ratio - mean).masked_fill(~legal, 0.0)
    return nat, (grad * nat).sum(dim=1)
