"""Each token's weight is clipped and detached, so no token loses its gradient."""

import torch


def cispo_loss(logp, old_logp, adv, mask, eps_high=0.2, eps_low=None):
    """Return the weighted policy-gradient loss, averaged over unmasked tokens, a 0-dim tensor.

    Shapes: logp, old_logp, adv [B, T]; mask [B, T] bool.
    Source: arXiv:2506.13585, section 3.1.
    """
    # torch.where instead of `* mask`, because 0 * NaN is NaN, in the value and in the gradient.
    current = torch.where(mask, logp, 0.0)
    old = torch.where(mask, old_logp, 0.0)
    # Without detach, the loss could also be lowered by changing the weights themselves.
    ratio = (current - old).detach().exp()
    lowest = None if eps_low is None else 1 - eps_low
    weights = ratio.clamp(min=lowest, max=1 + eps_high)
    advantages = torch.where(mask, adv, 0.0).detach()
    return -(weights * advantages * current).sum() / mask.sum().clamp(min=1)
