# expect: right
import math

import torch


def is_estimate(log_w, values, kind, lo=None, hi=None):
    n = log_w.shape[1]
    lw = log_w
    if kind == "tis":
        lw = lw.clamp(max=math.log(hi))
    elif kind == "mis":
        outside = (lw < math.log(lo)) | (lw > math.log(hi))
        lw = lw.masked_fill(outside, -math.inf)

    top = lw.amax(dim=1, keepdim=True)
    empty = torch.isinf(top)
    u = torch.exp(lw - top.masked_fill(empty, 0.0))  # largest weight of a row is 1
    total = u.sum(dim=1)
    squares = u.square().sum(dim=1)
    ess = torch.where(squares > 0, total.square() / squares.clamp(min=0.5), torch.zeros_like(total))

    if kind == "snis":
        estimate = (u / total[:, None] * values).sum(dim=1)
    else:
        estimate = (torch.exp(lw) * values).sum(dim=1) / n
    return estimate, ess
