import torch


def reinforce_loss(logp, adv, mask, reduction):
    counts = mask.sum(dim=1)
    adv = adv.detach()
    if adv.dim() == 1:
        adv = adv[:, None].expand(mask.shape)
    loss = -adv.masked_fill(~mask, 0.0) * logp.masked_fill(~mask, 0.0)
    if reduction == "token":
        return loss.sum()
    rows = loss.sum(dim=1)
    if reduction == "seq":
        rows = rows / counts.clamp(min=1)
    return rows.sum() / (counts > 0).sum().clamp(min=1)
