# expect: wrong
# mistake: With "mis" a weight exactly equal to lo or hi becomes 0, although only weights below lo or above hi should.
import torch


@torch.no_grad()
def rollout_correction(train_logp, rollout_logp, mask, mode, kind, lo, hi):
    gap = torch.where(mask, train_logp - rollout_logp, 0.0).to(train_logp.dtype)
    n = mask.sum(-1, keepdim=True).clamp(min=1)
    log_w = {
        "token": lambda: gap,
        "seq": lambda: gap.sum(-1, keepdim=True).expand_as(gap),
        "geo": lambda: (gap.sum(-1, keepdim=True) / n).expand_as(gap),
    }[mode]()
    weights = log_w.clamp(max=20).exp()
    if kind == "tis":
        weights = weights.clamp(max=hi)
    else:
        accepted = (weights > lo) & (weights < hi)
        weights = weights * accepted
    return weights * mask
