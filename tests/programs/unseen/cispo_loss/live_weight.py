# expect: wrong
# mistake: the weight is not a constant for the gradient, its ratio is differentiated as well
import torch


def cispo_loss(logp, old_logp, adv, mask, eps_high=0.2, eps_low=None):
    old_logp, adv = old_logp.detach(), adv.detach()
    lp = logp.masked_fill(~mask, 0.0)
    ratio = (lp - old_logp.masked_fill(~mask, 0.0)).exp()
    lower = 0.0 if eps_low is None else 1.0 - eps_low
    weight = torch.clamp(ratio, lower, 1.0 + eps_high)
    per_token = -weight * adv.masked_fill(~mask, 0.0) * lp
    return per_token.sum() / mask.sum().clamp_min(1)
