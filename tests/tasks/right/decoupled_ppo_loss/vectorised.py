import torch


def decoupled_ppo_loss(logp, prox_logp, behav_logp, adv, mask, eps=0.2, w_cap=None):
    prox, behav, gain = (x.detach()[mask] for x in (prox_logp, behav_logp, adv))
    weight = torch.exp(prox - behav)
    if w_cap is not None:
        weight = weight * (weight <= w_cap)
    ratio = torch.exp(logp[mask] - prox)
    # The clip takes effect only where the ratio has moved in the direction of the advantage.
    bound = torch.where(gain > 0, ratio.clip(max=1 + eps), ratio.clip(min=1 - eps))
    return -torch.dot(weight * gain, bound) / max(gain.numel(), 1)
