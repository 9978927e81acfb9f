import torch


def grpo_loss(logp, old_logp, ref_logp, adv, mask, eps, beta):
    m = mask.to(logp.dtype)
    adv = adv.detach()[:, None]
    ratio = torch.exp(logp - old_logp.detach())
    per_token = torch.max(-ratio * adv, -ratio.clamp(1 - eps, 1 + eps) * adv)
    if beta:
        delta = ref_logp.detach() - logp
        per_token = per_token + beta * (delta.exp() - delta - 1)
    lengths = m.sum(1)
    per_row = (per_token * m).sum(1) / lengths.clamp(min=1)
    return per_row.sum() / (lengths > 0).sum().clamp(min=1)
