import torch


def kto_loss(logratio, desirable, kl, beta, w_d=1.0, w_u=1.0):
    z = kl.detach().clamp(min=0)
    good = w_d * (1 - torch.sigmoid(beta * (logratio - z)))
    bad = w_u * (1 - torch.sigmoid(beta * (logratio - z)))
    losses = torch.where(desirable, good, bad)
    return losses.mean()
