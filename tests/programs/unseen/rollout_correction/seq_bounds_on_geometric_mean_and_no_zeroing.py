# expect: wrong
# mistake: In mode "seq" with "mis" the bounds are compared with the per-token geometric mean instead of the row's weight, and in "seq" and "geo" masked positions receive the row's weight instead of 0.
import torch


def rollout_correction(train_logp, rollout_logp, mask, mode, kind, lo, hi):
    tl, rl = train_logp.detach(), rollout_logp.detach()
    diff = torch.where(mask, tl - rl, torch.zeros_like(tl))
    if mode == "token":
        w = diff.clamp(max=20).exp()
        if kind == "tis":
            w = w.clamp(max=hi)
        else:
            w = torch.where((w < lo) | (w > hi), torch.zeros_like(w), w)
        return torch.where(mask, w, torch.zeros_like(w))

    n = mask.sum(dim=1).clamp(min=1)
    total = diff.sum(dim=1)
    geo = (total / n).clamp(max=20).exp()
    row = geo if mode == "geo" else total.clamp(max=20).exp()
    if kind == "tis":
        row = row.clamp(max=hi)
    else:
        # judge a sequence per token, so that long rows are not always rejected
        row = torch.where((geo < lo) | (geo > hi), torch.zeros_like(row), row)
    return row.unsqueeze(1).expand_as(tl).clone()
