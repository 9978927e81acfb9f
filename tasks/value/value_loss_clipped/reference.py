"""Clipping can only increase an entry's loss, so the critic gains nothing by moving far from its old values."""

import torch


def value_loss_clipped(v, v_old, returns, mask, eps=0.2):
    """Return half the mean of the larger squared errors over unmasked entries, a 0-dim tensor.

    Shapes: v, v_old, returns [B, T]; mask [B, T] bool.
    Source: arXiv:2005.12729, section 3.
    """
    # torch.where instead of `* mask`, because 0 * NaN is NaN, in the value and in the gradient.
    moved = torch.where(mask, v - v_old.detach(), 0.0)
    target = torch.where(mask, returns - v_old, 0.0).detach()  # relative to the old value, like `moved`
    plain = (moved - target) ** 2
    clipped = (moved.clamp(-eps, eps) - target) ** 2
    return 0.5 * torch.maximum(plain, clipped).sum() / mask.sum().clamp(min=1)
