import torch


def reinforce_loss(logp, adv, mask, reduction):
    adv = adv.detach()
    if adv.dim() == 1:
        adv = adv[:, None]
    m = mask.to(logp.dtype)
    loss = -adv * logp * m
    if reduction == "token":
        return loss.sum() / m.sum()
    rows = loss.sum(dim=1)
    if reduction == "seq":
        rows = rows / m.sum(dim=1)
    return rows.mean()
