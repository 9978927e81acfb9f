import torch


def cispo_loss(logp, old_logp, adv, mask, eps_high=0.2, eps_low=None):
    adv = adv.detach().masked_fill(~mask, 0.0)
    ratio = (logp - old_logp.detach()).masked_fill(~mask, 0.0).exp()
    low = 0.0 if eps_low is None else 1 - eps_low
    loss = torch.max(-ratio * adv, -ratio.clamp(low, 1 + eps_high) * adv)
    return loss.sum() / mask.sum().clamp(min=1)
