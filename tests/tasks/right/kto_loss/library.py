import torch


def kto_loss(logratio, desirable, kl, beta, w_d=1.0, w_u=1.0):
    distance = logratio - torch.relu(kl.detach())
    good = w_d * (1 - torch.special.expit(beta * distance))
    bad = w_u * (1 - torch.special.expit(-beta * distance))
    return torch.where(desirable, good, bad).sum() / logratio.numel()
