"""A weight is finite, has no gradient and does not depend on masked positions."""

import torch


@torch.no_grad()
def rollout_correction(train_logp, rollout_logp, mask, mode, kind, lo, hi):
    """Return bounded importance weights from the engine's policy to the trainer's, 0 where masked.

    Shapes: train_logp, rollout_logp [B, T]; mask [B, T] bool.
    Source: arXiv:2510.18855, arXiv:2512.01374.
    """
    # torch.where instead of `* mask`, because 0 * NaN is NaN, and a single NaN would make the row's sum NaN.
    log_weights = torch.where(mask, train_logp - rollout_logp, 0.0)
    if mode != "token":
        log_weights = log_weights.sum(dim=1, keepdim=True)  # [B, 1]
    if mode == "geo":
        log_weights = log_weights / mask.sum(dim=1, keepdim=True).clamp(min=1)
    weights = log_weights.clamp(max=20.0).exp()
    is_inside = (weights >= lo) & (weights <= hi)
    bounded = weights.clamp(max=hi) if kind == "tis" else torch.where(is_inside, weights, 0.0)
    return torch.where(mask, bounded, 0.0)
