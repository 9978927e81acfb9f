# expect: wrong
# mistake: the bounds are applied to the logarithm of the ratio, so that the cap is exp(eps_high)
import torch


def cispo_loss(logp, old_logp, adv, mask, eps_high=0.2, eps_low=None):
    new = logp[mask]
    delta = (new - old_logp[mask]).detach()
    delta = torch.clamp(delta, max=eps_high)
    if eps_low is not None:
        delta = torch.clamp(delta, min=-eps_low)
    weight = delta.exp()
    objective = weight * adv[mask].detach() * new
    return -objective.sum() / mask.sum().clamp(min=1)
