"""Illegal advantages are removed before they are used, because 0 * NaN is NaN."""

import math

import torch


def dueling_head(v, adv, legal):
    """Return the action values [B, A], the greedy actions [B] and their values [B], the last without gradient.

    Shapes: v [B, 1]; adv, legal [B, A].
    Source: arXiv:1511.06581, section 3, eq. 9, with the mean over the legal actions only.
    """
    known = torch.where(legal, adv, 0.0)
    # At least 1, so that a state without legal actions does not divide by zero.
    count = legal.sum(dim=1, keepdim=True).clamp(min=1)
    mean = known.sum(dim=1, keepdim=True) / count
    q = torch.where(legal, v + known - mean, -math.inf)
    best, action = q.detach().max(dim=1)  # the first maximum
    goes_on = legal.any(dim=1)
    return q, torch.where(goes_on, action, -1), torch.where(goes_on, best, 0.0)
