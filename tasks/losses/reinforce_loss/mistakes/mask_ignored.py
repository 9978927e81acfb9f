import torch


def reinforce_loss(logp, adv, mask, reduction):
    if adv.dim() == 1:
        adv = adv[:, None]
    loss = -adv.detach() * logp
    if reduction == "seq_sum":
        return loss.sum(dim=1).mean()
    return loss.mean()
