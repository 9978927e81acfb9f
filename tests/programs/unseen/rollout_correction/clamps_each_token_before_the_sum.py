# expect: wrong
# mistake: The log-ratio of each token is clamped to at most 20 before the sum or the mean of the row is taken, in addition to the clamp before the exponential.
import torch

MAX_LOG = 20.0


def rollout_correction(train_logp, rollout_logp, mask, mode, kind, lo, hi):
    out = torch.zeros_like(train_logp.detach())
    for b in range(mask.shape[0]):
        m = mask[b]
        n = int(m.sum())
        if n == 0:
            continue
        lr = (train_logp[b][m] - rollout_logp[b][m]).detach()
        lr = lr.clamp(max=MAX_LOG)
        if mode == "seq":
            lr = lr.sum().repeat(n)
        elif mode == "geo":
            lr = lr.mean().repeat(n)
        w = lr.clamp(max=MAX_LOG).exp()
        if kind == "tis":
            w = w.clamp(max=hi)
        else:
            keep = (w >= lo) & (w <= hi)
            w = torch.where(keep, w, torch.zeros_like(w))
        out[b, m] = w
    return out
