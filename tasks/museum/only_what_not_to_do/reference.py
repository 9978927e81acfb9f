"""The bound is a lower one for negative numbers; for a positive advantage it would exceed every clipped objective."""

import torch


def policy_loss(logprobs, old_logprobs, advantages, mask, clip, dual_clip=None):
    """Return the loss: minus the mean over the unmasked tokens of the dual-clipped objective.

    Shapes: logprobs, old_logprobs, advantages [B, T]; mask [B, T] bool.
    Assumes: at least one unmasked token; `dual_clip` is None or above 1 + clip.
    Source: arXiv:1707.06347, eq. 7; arXiv:1912.09729, eq. 5.
    """
    advantages = advantages.detach()[mask]
    ratio = torch.exp(logprobs[mask] - old_logprobs.detach()[mask])
    objective = torch.minimum(ratio * advantages, ratio.clamp(1 - clip, 1 + clip) * advantages)
    if dual_clip is not None:
        bounded = torch.maximum(objective, dual_clip * advantages)
        objective = torch.where(advantages < 0, bounded, objective)
    return -objective.mean()
