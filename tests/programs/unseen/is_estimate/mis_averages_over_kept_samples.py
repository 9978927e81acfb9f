# expect: wrong
# mistake: With "mis", the weighted values are averaged over the samples that were kept, instead of over all N samples.
import torch


def _ess(w):
    top = w.max(dim=1, keepdim=True).values
    u = w / torch.where(top > 0, top, torch.ones_like(top))
    s2 = (u * u).sum(1)
    return torch.where(s2 > 0, u.sum(1) ** 2 / torch.where(s2 > 0, s2, torch.ones_like(s2)), torch.zeros_like(s2))


def is_estimate(log_w, values, kind, lo=None, hi=None):
    if kind == "snis":
        p = torch.softmax(log_w, dim=1)
        return (p * values).sum(1), _ess(p)
    w = log_w.exp()
    if kind == "is":
        est = (w * values).mean(1)
    elif kind == "tis":
        w = w.clamp(max=hi)
        est = (w * values).mean(1)
    elif kind == "mis":
        keep = (w >= lo) & (w <= hi)
        w = w * keep
        est = (w * values).sum(1) / keep.sum(1).clamp(min=1)
    else:
        raise ValueError(kind)
    return est, _ess(w)
