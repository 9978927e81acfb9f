import math

import torch


def weigh(log_weights, kind, lo, hi):
    """Return the weights that the estimate uses, up to the factor that "snis" leaves open."""
    if kind == "snis":
        top = max(log_weights)
        return [math.exp(x - top) for x in log_weights]
    weights = [math.exp(x) for x in log_weights]
    if kind == "tis":
        return [min(w, hi) for w in weights]
    if kind == "mis":
        return [w if lo <= w <= hi else 0.0 for w in weights]
    return weights


def estimate_row(log_weights, values, kind, lo, hi):
    weights = weigh(log_weights, kind, lo, hi)
    total = math.fsum(weights)
    if total == 0:
        return 0.0, 0.0
    weighted = math.fsum(w * x for w, x in zip(weights, values))
    shares = [w / total for w in weights]
    ess = 1 / math.fsum(p * p for p in shares)
    return weighted / (total if kind == "snis" else len(weights)), ess


def is_estimate(log_w, values, kind, lo=None, hi=None) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the importance-sampling estimate and the effective sample size of each row, [B] each."""
    rows = [estimate_row(a, b, kind, lo, hi) for a, b in zip(log_w.tolist(), values.tolist())]
    result = torch.tensor(rows, dtype=torch.float64).reshape(-1, 2).to(values.dtype)
    return result[:, 0].clone(), result[:, 1].clone()
