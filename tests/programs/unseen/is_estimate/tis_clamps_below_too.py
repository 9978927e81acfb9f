# expect: wrong
# mistake: With "tis", weights below lo are also raised to lo if lo is given, instead of only lowering weights above hi.
import math

import torch


def is_estimate(log_w, values, kind, lo=None, hi=None):
    log_lo = None if lo is None else math.log(lo)
    log_hi = None if hi is None else math.log(hi)
    if kind == "tis":
        lw = torch.clamp(log_w, min=log_lo, max=log_hi)
    elif kind == "mis":
        keep = (log_w >= log_lo) & (log_w <= log_hi)
        lw = torch.where(keep, log_w, torch.full_like(log_w, -float("inf")))
    else:
        lw = log_w.clone()

    dead = torch.isneginf(lw).all(dim=1)
    safe = torch.where(dead[:, None], torch.zeros_like(lw), lw)
    p = torch.softmax(safe, dim=1)
    ess = 1.0 / p.pow(2).sum(dim=1)
    if kind == "snis":
        est = (p * values).sum(dim=1)
    else:
        est = (lw.exp() * values).mean(dim=1)
    return est, ess.masked_fill(dead, 0.0)
