"""A token loses its gradient only if it is far from the engine's policy and would move farther away."""

import torch


def dppo_mask_loss(logp, mu_logp, adv, mask, delta=0.15, kind="tv", C=20):
    """Return the policy-gradient loss with capped weights, averaged over unmasked tokens, a 0-dim tensor.

    Shapes: logp, mu_logp, adv [B, T]; mask [B, T] bool.
    Source: arXiv:2602.04879.
    """
    # torch.where instead of `* mask`, because 0 * NaN is NaN, in the value and in the gradient.
    current = torch.where(mask, logp, 0.0)
    with torch.no_grad():
        engine = torch.where(mask, mu_logp, 0.0)
        advantages = torch.where(mask, adv, 0.0)
        log_ratio = current - engine
        new, old = current.exp(), engine.exp()
        if kind == "tv":
            divergence = (new - old).abs()
        else:
            # expm1 is accurate if 1 - p is small; xlogy is 0 where the engine's 1 - p is 0.
            other_new, other_old = -current.expm1(), -engine.expm1()
            other_side = torch.xlogy(other_old, other_old) - torch.xlogy(other_old, other_new)
            divergence = other_side - old * log_ratio
        goes_on = advantages * log_ratio > 0
        weights = torch.where(goes_on & (divergence > delta), 0.0, log_ratio.exp().clamp(max=C))
    return -(weights * advantages * current).sum() / mask.sum().clamp(min=1)
