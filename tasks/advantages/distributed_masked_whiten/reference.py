"""Sums and counts are reduced over both groups, and deviations are taken from the mean of the whole batch."""

import torch
import torch.distributed as dist


def distributed_masked_whiten(x, mask, dp_group, cp_group, eps=1e-8, unbiased=True):
    """Return this rank's part of the whitened batch, 0 where masked.

    Shapes: x, mask and the result [B, T], for the tokens of this rank.
    Source: arXiv:2006.05990, section 3.3 (advantage normalization); slime reduces over data and context parallel ranks.
    """
    # In float64, the mean of equal float32 values is exact, so no rounding error is divided by a small deviation.
    values = x[mask].double()
    count, total = mask.sum(), values.sum()
    # Not over the default group, which would count the copies on tensor-parallel ranks.
    for group in (dp_group, cp_group):
        dist.all_reduce(count, group=group)
        dist.all_reduce(total, group=group)
    # If the batch has no tokens, this is NaN, but then there is no value to subtract it from.
    mean = total / count
    squares = (values - mean).square().sum()
    for group in (dp_group, cp_group):
        dist.all_reduce(squares, group=group)
    variance = squares / (count - int(unbiased)).clamp(min=1)
    whitened = torch.zeros_like(x)
    whitened[mask] = ((values - mean) / (variance + eps).sqrt()).to(x.dtype)
    return whitened
