import torch


def cispo_loss(logp, old_logp, adv, mask, eps_high=0.2, eps_low=None):
    weight = torch.exp(logp.detach() - old_logp.detach()).clamp(max=1 + eps_high)
    if eps_low is not None:
        weight = weight.clamp(min=1 - eps_low)
    m = mask.to(logp.dtype)
    loss = -weight * adv.detach() * logp
    return (loss * m).sum() / m.sum().clamp(min=1)
