import torch


def kto_loss(logratio, desirable, kl, beta, w_d=1.0, w_u=1.0):
    point = max(float(kl), 0.0)
    losses = []
    for x, good in zip(logratio, desirable.tolist(), strict=True):
        value = torch.sigmoid(beta * (x - point)) if good else torch.sigmoid(beta * (point - x))
        losses.append((w_d if good else w_u) * (1 - value))
    return torch.stack(losses).mean()
