import torch


def gspo_loss(logp, old_logp, adv, mask, eps_low=3e-4, eps_high=4e-4, token_variant=False):
    m = mask.to(logp.dtype)
    count = m.sum(1)
    n = count.clamp(min=1)
    adv = adv.detach()
    s = torch.exp(((logp - old_logp.detach()) * m).sum(1) / n)
    if token_variant:
        s = s.detach()[:, None] * torch.exp(logp - logp.detach())
        adv = adv if adv.dim() == 2 else adv[:, None]
        weight = m / n[:, None]
    else:
        weight = (count > 0).to(logp.dtype)
    loss = torch.max(-s * adv, -s.clamp(1 - eps_low, 1 + eps_high) * adv)
    return (loss * weight).sum() / (count > 0).sum().clamp(min=1)
