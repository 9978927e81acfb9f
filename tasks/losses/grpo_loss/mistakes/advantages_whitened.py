import torch


def grpo_loss(logp, old_logp, ref_logp, adv, mask, eps, beta):
    adv = (adv - adv.mean()) / (adv.std() + 1e-4)
    adv = adv.detach().unsqueeze(1).expand(mask.shape).masked_fill(~mask, 0.0)
    log_ratio = (logp - old_logp.detach()).masked_fill(~mask, 0.0)
    ratio = log_ratio.exp()
    surr1 = ratio * adv
    surr2 = ratio.clamp(1 - eps, 1 + eps) * adv
    loss = -torch.min(surr1, surr2)

    if beta > 0:
        delta = (ref_logp.detach() - logp).masked_fill(~mask, 0.0)
        kl = delta.exp() - delta - 1
        loss = loss + beta * kl

    lengths = mask.sum(1)
    per_row = loss.sum(1) / lengths.clamp(min=1)
    return per_row.sum() / (lengths > 0).sum().clamp(min=1)
