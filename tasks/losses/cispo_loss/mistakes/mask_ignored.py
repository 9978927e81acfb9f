import torch


def cispo_loss(logp, old_logp, adv, mask, eps_high=0.2, eps_low=None):
    old_logp = old_logp.detach()
    adv = adv.detach()
    weight = torch.exp(logp.detach() - old_logp).clamp(max=1 + eps_high)
    if eps_low is not None:
        weight = weight.clamp(min=1 - eps_low)
    per_token = -weight * adv * logp
    return per_token.mean()
