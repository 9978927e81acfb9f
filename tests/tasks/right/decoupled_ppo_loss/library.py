import torch
from torch.nn import functional as F


def decoupled_ppo_loss(logp, prox_logp, behav_logp, adv, mask, eps=0.2, w_cap=None):
    """Return a policy-gradient loss in which clipped tokens keep their value but lose their gradient."""
    keep = mask.to(logp.dtype)
    count = keep.sum().clamp(min=1)
    new = torch.masked_fill(logp, ~mask, 0)
    with torch.no_grad():
        prox, behav, gain = (torch.masked_fill(x, ~mask, 0) for x in (prox_logp, behav_logp, adv))
        weight = (prox - behav).exp()
        if w_cap is not None:
            weight = weight - F.threshold(weight, w_cap, 0.0)  # the threshold keeps only what is above the cap
        ratio = (new - prox).exp()
        clipped = F.hardtanh(ratio, 1 - eps, 1 + eps) if eps else torch.ones_like(ratio)
        is_bound = clipped * gain < ratio * gain
        value = torch.where(is_bound, clipped, ratio) * gain * weight * keep
        slope = torch.where(is_bound, 0.0, value)
    surrogate = slope * (new - new.detach())
    return -(value + surrogate).sum() / count
