# expect: wrong
# mistake: With "mis", a weight equal to lo or hi is replaced by 0 instead of kept, and the effective sample size of "tis" and "mis" uses the weights before the replacement (0 only if all were replaced).
import torch


def is_estimate(log_w, values, kind, lo=None, hi=None):
    # normalized weights, stable for any range of log_w
    p = (log_w - torch.logsumexp(log_w, dim=1, keepdim=True)).exp()
    ess = 1 / (p ** 2).sum(dim=1)
    if kind == "snis":
        return (p * values).sum(dim=1), ess

    w = log_w.exp()
    if kind == "tis":
        w = w.clamp(max=hi)
    elif kind == "mis":
        inside = (w > lo) & (w < hi)
        w = torch.where(inside, w, torch.zeros_like(w))
        ess = torch.where(inside.any(dim=1), ess, torch.zeros_like(ess))
    return (w * values).mean(dim=1), ess
