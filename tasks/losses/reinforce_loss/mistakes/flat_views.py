import torch


def reinforce_loss(logp, adv, mask, reduction):
    rows, steps = mask.shape
    if adv.dim() == 1:
        adv = adv.unsqueeze(1).repeat(1, steps)
    keep = mask.view(-1)
    flat = logp.view(-1).masked_fill(~keep, 0.0)
    loss = -adv.detach().view(-1).masked_fill(~keep, 0.0) * flat
    if reduction == "token":
        return loss.sum() / keep.sum().clamp(min=1)
    lengths = mask.sum(1)
    per_row = loss.view(rows, steps).sum(1)
    if reduction == "seq":
        per_row = per_row / lengths.clamp(min=1)
    return per_row.sum() / (lengths > 0).sum().clamp(min=1)
