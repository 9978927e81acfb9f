import torch


def decoupled_ppo_loss(logp, prox_logp, behav_logp, adv, mask, eps=0.2, w_cap=None):
    log_ratio = (logp - prox_logp.detach()).masked_fill(~mask, 0.0)
    log_weight = (prox_logp - behav_logp).detach().masked_fill(~mask, 0.0)
    adv = adv.detach().masked_fill(~mask, 0.0)
    ratio = log_ratio.exp()
    weight = log_weight.exp()
    loss = torch.max(-ratio * adv, -ratio.clamp(1 - eps, 1 + eps) * adv)
    if w_cap is not None:
        weight = weight.masked_fill(weight > w_cap, 0.0)
    return (weight * loss).sum()
