import math

import torch


def is_estimate(log_w, values, kind, lo=None, hi=None):
    logs = log_w.double()
    f = values.double()
    w = logs.exp()
    if kind == "tis":
        logs = torch.where(w > hi, math.log(hi), logs)
    if kind == "mis":
        logs = torch.where((w < lo) | (w > hi), -math.inf, logs)
    p = torch.softmax(log_w.double(), dim=1)
    squares = p.square().sum(dim=1)
    ess = torch.where(logs.isfinite().any(dim=1), 1 / squares, 0.0)
    if kind == "snis":
        estimate = (p * f).sum(dim=1)
    else:
        estimate = (logs.exp() * f).mean(dim=1)
    return estimate.to(values.dtype), ess.to(values.dtype)
