import torch


def cispo_loss(logp, old_logp, adv, mask, eps_high=0.2, eps_low=None):
    weight = torch.exp(logp - old_logp).clamp(max=1 + eps_high)
    if eps_low is not None:
        weight = weight.clamp(min=1 - eps_low)
    per_token = -weight.detach() * adv.detach() * logp
    return (per_token * mask).sum() / mask.sum()
