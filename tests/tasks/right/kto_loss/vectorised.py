import torch


def kto_loss(logratio, desirable, kl, beta, w_d=1.0, w_u=1.0):
    point = kl.detach().clamp(min=0)
    sign = torch.where(desirable, 1.0, -1.0).to(logratio.dtype)
    weight = torch.where(desirable, w_d, w_u).to(logratio.dtype)
    return (weight * torch.sigmoid(-beta * sign * (logratio - point))).mean()
