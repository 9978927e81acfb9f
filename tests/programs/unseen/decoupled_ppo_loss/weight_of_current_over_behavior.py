# expect: wrong
# mistake: The importance weight is the current policy's probability divided by the behavior policy's (detached) instead of the proximal policy's divided by the behavior policy's.
import torch


def decoupled_ppo_loss(logp, prox_logp, behav_logp, adv, mask, eps=0.2, w_cap=None):
    lp = torch.where(mask, logp, torch.zeros_like(logp))
    prox = torch.where(mask, prox_logp, torch.zeros_like(logp)).detach()
    behav = torch.where(mask, behav_logp, torch.zeros_like(logp)).detach()
    A = torch.where(mask, adv, torch.zeros_like(logp)).detach()

    ratio = torch.exp(lp - prox)
    clipped = torch.clamp(ratio, 1 - eps, 1 + eps)
    pg = -torch.min(ratio * A, clipped * A)

    # correct for the stale sampler
    w = torch.exp(lp.detach() - behav)
    if w_cap is not None:
        w = torch.where(w > w_cap, torch.zeros_like(w), w)
    denom = mask.sum().clamp(min=1)
    return (w * pg).sum() / denom
