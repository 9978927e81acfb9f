import torch


def grpo_loss(logp, old_logp, ref_logp, adv, mask, eps, beta):
    counts = mask.sum(dim=1)
    adv = adv.detach().masked_fill(counts == 0, 0.0)[:, None]
    ratio = torch.exp((logp - old_logp.detach()).masked_fill(~mask, 0.0))
    loss = -torch.min(ratio * adv, ratio.clamp(1 - eps, 1 + eps) * adv)
    if beta:
        gap = (ref_logp.detach() - old_logp.detach()).masked_fill(~mask, 0.0)
        loss = loss + beta * (torch.exp(gap) - 1 - gap)
    loss = loss.masked_fill(~mask, 0.0)
    rows = loss.sum(dim=1) / counts.clamp(min=1)
    return rows.sum() / (counts > 0).sum().clamp(min=1)
