import torch


def grpo_loss(logp, old_logp, ref_logp, adv, mask, eps, beta):
    adv = adv.detach()[:, None]
    ratio = torch.exp(logp - old_logp.detach())
    loss = -torch.min(ratio * adv, ratio.clamp(1 - eps, 1 + eps) * adv)
    if beta:
        gap = ref_logp.detach() - logp
        loss = loss + beta * (torch.exp(gap) - 1 - gap)
    m = mask.to(loss.dtype)
    return ((loss * m).sum(dim=1) / m.sum(dim=1)).mean()
