# expect: right
import torch


def cispo_loss(logp, old_logp, adv, mask, eps_high=0.2, eps_low=None) -> torch.Tensor:
    lp = torch.where(mask, logp, torch.zeros_like(logp))
    with torch.no_grad():
        old = torch.where(mask, old_logp, torch.zeros_like(old_logp))
        a = torch.where(mask, adv, torch.zeros_like(adv))
        weight = (lp - old).exp()
        weight = weight.clamp(max=1 + eps_high)
        if eps_low is not None:
            weight = weight.clamp(min=1 - eps_low)
        coef = weight * a / mask.sum().clamp(min=1)
    return -(coef * lp).sum()
