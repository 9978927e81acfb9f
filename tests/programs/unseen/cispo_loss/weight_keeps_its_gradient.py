# expect: wrong
# mistake: The weight is not treated as a constant, so tokens within the bounds get an additional gradient through their ratio.
import torch


def cispo_loss(logp, old_logp, adv, mask, eps_high=0.2, eps_low=None) -> torch.Tensor:
    logp = logp.masked_fill(~mask, 0.0)
    old_logp = old_logp.detach().masked_fill(~mask, 0.0)
    adv = adv.detach().masked_fill(~mask, 0.0)

    is_weight = torch.exp(logp - old_logp)
    if eps_low is None:
        is_weight = torch.clamp(is_weight, max=1 + eps_high)
    else:
        is_weight = torch.clamp(is_weight, 1 - eps_low, 1 + eps_high)

    n = mask.sum()
    loss = -(is_weight * adv * logp).sum()
    if n > 0:
        loss = loss / n
    return loss
