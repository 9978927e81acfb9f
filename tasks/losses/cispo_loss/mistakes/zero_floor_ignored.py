import torch


def cispo_loss(logp, old_logp, adv, mask, eps_high=0.2, eps_low=None):
    current = torch.where(mask, logp, 0.0)
    old = torch.where(mask, old_logp, 0.0)
    ratio = (current - old).detach().exp()
    lowest = 1 - eps_low if eps_low else None
    weights = ratio.clamp(min=lowest, max=1 + eps_high)
    advantages = torch.where(mask, adv, 0.0).detach()
    return -(weights * advantages * current).sum() / mask.sum().clamp(min=1)
