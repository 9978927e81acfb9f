# expect: wrong
# mistake: The effective sample size divides by the sum of the squared unscaled weights limited to at least 1e-12, so that it is far too small for rows with only tiny weights.
import torch


def is_estimate(log_w, values, kind, lo=None, hi=None):
    N = log_w.size(1)
    if kind == "snis":
        weights = torch.softmax(log_w, dim=-1)
        estimate = (weights * values).sum(-1)
    else:
        weights = log_w.exp()
        if kind == "tis":
            weights = weights.clamp(max=hi)
        elif kind == "mis":
            weights = weights.masked_fill((weights < lo) | (weights > hi), 0.0)
        estimate = (weights * values).sum(-1) / N
    ess = weights.sum(-1).pow(2) / weights.pow(2).sum(-1).clamp_min(1e-12)
    return estimate, ess
