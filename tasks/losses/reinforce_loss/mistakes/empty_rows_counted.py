import torch


def reinforce_loss(logp, adv, mask, reduction):
    if adv.dim() == 1:
        adv = adv.unsqueeze(1).expand_as(logp)
    adv = adv.detach().masked_fill(~mask, 0.0)
    logp = logp.masked_fill(~mask, 0.0)
    loss = -adv * logp

    lengths = mask.sum(1)
    n_rows = len(lengths)
    if reduction == "token":
        return loss.sum() / mask.sum().clamp(min=1)
    if reduction == "seq":
        return (loss.sum(1) / lengths.clamp(min=1)).sum() / n_rows
    return loss.sum() / n_rows
