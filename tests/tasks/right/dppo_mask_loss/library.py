import torch
from torch.distributions import Bernoulli, kl_divergence
from torch.nn import functional as F


def dppo_mask_loss(logp, mu_logp, adv, mask, delta=0.15, kind="tv", C=20):
    new, old, gain = (torch.masked_select(x, mask) for x in (logp, mu_logp.detach(), adv.detach()))
    fixed = new.detach()
    engine, policy = (Bernoulli(probs=x.exp().clamp(max=1.0)) for x in (old, fixed))
    if kind == "kl":
        distance = kl_divergence(engine, policy)
    else:
        distance = F.l1_loss(policy.probs, engine.probs, reduction="none")
    ratio = torch.exp(fixed - old)
    is_outward = torch.where(gain > 0, ratio > 1, (ratio < 1) & (gain < 0))
    weight = torch.where(is_outward & (distance > delta), torch.zeros_like(ratio), ratio.clamp_max(C))
    return torch.sum(weight * gain * new).neg() / mask.sum().clamp_min(1)
