import torch


def kto_loss(logratio, desirable, kl, beta, w_d=1.0, w_u=1.0):
    z = kl.detach().clamp(min=0)
    x = beta * (logratio - z)
    good = w_d * (1 - x.exp() / (1 + x.exp()))
    bad = w_u * (1 - (-x).exp() / (1 + (-x).exp()))
    losses = torch.where(desirable, good, bad)
    return losses.mean()
