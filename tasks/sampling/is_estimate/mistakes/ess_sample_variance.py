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
    p = torch.softmax(logs, dim=1).nan_to_num(nan=0.0)
    squares = p.square().sum(dim=1)
    n = logs.shape[1]
    deviation = ((p - 1 / n).square().sum(dim=1) / max(n - 1, 1)).sqrt()
    ess = torch.where(squares > 0, n / (1 + (deviation * n).square()), 0.0)
    if kind == "snis":
        estimate = (p * f).sum(dim=1)
    else:
        estimate = (logs.exp() * f).mean(dim=1)
    return estimate.to(values.dtype), ess.to(values.dtype)
