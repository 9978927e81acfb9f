import torch


def cispo_loss(logp, old_logp, adv, mask, eps_high=0.2, eps_low=None):
    floor = 0.0 if eps_low is None else 1.0 - eps_low
    new, old, gain = logp[mask], old_logp[mask].detach(), adv[mask].detach()
    weight = torch.clip((new.detach() - old).exp(), floor, 1.0 + eps_high)
    return -torch.dot(weight * gain, new) / max(new.numel(), 1)
