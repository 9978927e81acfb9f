# expect: wrong
# mistake: the upper bound holds for positive advantages only, and the lower one for negative advantages only
# mistake: the sum is divided by the number of all positions, masked ones included
import torch


def cispo_loss(logp, old_logp, adv, mask, eps_high=0.2, eps_low=None):
    lp = torch.where(mask, logp, torch.zeros_like(logp))
    with torch.no_grad():
        a = torch.where(mask, adv, torch.zeros_like(adv))
        ratio = torch.exp(lp - torch.where(mask, old_logp, torch.zeros_like(old_logp)))
        low = 0.0 if eps_low is None else 1 - eps_low
        weight = torch.where(a > 0, ratio.clamp(max=1 + eps_high), ratio.clamp(min=low))
    return -(weight * a * lp).mean()
