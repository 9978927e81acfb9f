# expect: wrong
# mistake: Tokens whose ratio has passed a bound in the direction that their advantage favors get no gradient and no contribution, as in PPO, instead of a capped weight.
import torch


def cispo_loss(logp, old_logp, adv, mask, eps_high=0.2, eps_low=None) -> torch.Tensor:
    zeros = torch.zeros_like(logp)
    logp = torch.where(mask, logp, zeros)
    old_logp = torch.where(mask, old_logp.detach(), zeros)
    adv = torch.where(mask, adv.detach(), zeros)

    ratio = torch.exp(logp - old_logp).detach()
    upper = 1.0 + eps_high
    lower = 1.0 - eps_low if eps_low is not None else None
    weight = torch.clamp(ratio, min=lower, max=upper)

    too_high = (adv > 0) & (ratio > upper)
    too_low = (adv < 0) & (ratio < lower) if lower is not None else torch.zeros_like(mask)
    active = mask & ~too_high & ~too_low

    per_token = -weight * adv * logp * active.to(logp.dtype)
    return per_token.sum() / mask.sum().clamp(min=1)
