import torch


def kto_loss(logratio, desirable, kl, beta, w_d=1.0, w_u=1.0):
    z = kl.detach().clamp(min=0)
    good = w_d * (1 - torch.sigmoid(beta * (logratio - z)))
    bad = w_u * (1 - torch.sigmoid(beta * (z - logratio)))
    losses = torch.where(desirable, good, bad)
    count_d, count_u = desirable.sum(), (~desirable).sum()
    kept_d, kept_u = losses * desirable, losses * ~desirable
    return kept_d.sum() / count_d.clamp(min=1) + kept_u.sum() / count_u.clamp(min=1)
