import torch


def cispo_loss(logp, old_logp, adv, mask, eps_high=0.2, eps_low=None):
    new = logp[mask]
    if new.numel() == 0:
        return new.sum()
    old = old_logp[mask].detach()
    advantage = adv[mask].detach()
    return -(advantage * new).mean()
