"""The effective sample size depends only on the ratios of the weights, so each row's largest weight is scaled to 1."""

import math

import torch


def is_estimate(log_w, values, kind, lo=None, hi=None):
    """Return the importance-sampling estimate and the effective sample size of each row.

    Shapes: log_w, values [B, N]; the results [B].
    Source: Sutton and Barto, Reinforcement Learning, 2nd edition, section 5.5.
    """
    if kind == "tis":
        log_w = log_w.clamp(max=math.log(hi))
    if kind == "mis":
        is_kept = (log_w >= math.log(lo)) & (log_w <= math.log(hi))
        log_w = torch.where(is_kept, log_w, -math.inf)
    # In a row whose weights are all 0, the difference is NaN.
    scaled = (log_w - log_w.amax(dim=1, keepdim=True)).exp().nan_to_num()
    total = scaled.sum(dim=1)
    # The largest scaled weight is 1, so the clamp only changes rows whose weights are all 0.
    ess = total**2 / scaled.square().sum(dim=1).clamp(min=1)
    if kind == "snis":
        return (scaled * values).sum(dim=1) / total, ess
    # Without normalization, the scale of the weights matters.
    return (log_w.exp() * values).mean(dim=1), ess
