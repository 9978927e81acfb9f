# expect: right
import torch


def decoupled_ppo_loss(logp, prox_logp, behav_logp, adv, mask, eps=0.2, w_cap=None):
    new = logp[mask]
    prox = prox_logp.detach()[mask]
    behav = behav_logp.detach()[mask]
    a = adv.detach()[mask]
    count = max(new.numel(), 1)

    weight = (prox - behav).exp()
    if w_cap is not None:
        weight = weight * (weight <= w_cap)
    ratio = (new - prox).exp()
    surrogate = torch.minimum(ratio * a, ratio.clamp(1 - eps, 1 + eps) * a)
    return -(weight * surrogate).sum() / count
