import torch


def cispo_loss(logp, old_logp, adv, mask, eps_high=0.2, eps_low=None):
    logp = logp.masked_fill(~mask, 0.0)
    old_logp = old_logp.detach().masked_fill(~mask, 0.0)
    adv = adv.detach().masked_fill(~mask, 0.0)
    ratio = torch.exp(logp.detach() - old_logp)
    lowest = 0.0 if eps_low is None else 1 - eps_low
    silenced = ((adv > 0) & (ratio > 1 + eps_high)) | ((adv < 0) & (ratio < lowest))
    weight = ratio.masked_fill(silenced, 0.0)
    per_token = -weight * adv * logp
    return per_token.sum() / mask.sum().clamp(min=1)
