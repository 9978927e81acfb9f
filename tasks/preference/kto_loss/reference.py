"""1 minus a value is the sigmoid of the negated argument; this form keeps small losses exact."""

import torch


def kto_loss(logratio, desirable, kl, beta, w_d=1.0, w_u=1.0):
    """Return the mean weighted distance of each answer's value from 1, a 0-dim tensor.

    Shapes: logratio, desirable [B]; kl 0-dim.
    Units: logratio and kl in nats.
    Source: arXiv:2402.01306, section 4.
    """
    surplus = beta * (logratio - kl.detach().clamp(min=0))
    losses = torch.where(desirable, w_d * torch.sigmoid(-surplus), w_u * torch.sigmoid(surplus))
    return losses.mean()
