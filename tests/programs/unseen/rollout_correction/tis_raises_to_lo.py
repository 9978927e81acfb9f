# expect: wrong
# mistake: With "tis" weights below lo are raised to lo, although truncation only uses hi.
import torch


def _log_weights(delta, mask, mode):
    if mode == "token":
        return delta
    total = delta.sum(1, keepdim=True)
    if mode == "geo":
        total = total / mask.sum(1, keepdim=True).clamp(min=1).to(total.dtype)
    return total.expand_as(delta)


def _bound(w, kind, lo, hi):
    if kind == "tis":
        return w.clamp(lo, hi)
    return torch.where((w >= lo) & (w <= hi), w, torch.zeros_like(w))


def rollout_correction(train_logp, rollout_logp, mask, mode, kind, lo, hi):
    delta = (train_logp.detach() - rollout_logp.detach()).masked_fill(~mask, 0.0)
    w = torch.exp(_log_weights(delta, mask, mode).clamp(max=20.0))
    return _bound(w, kind, lo, hi).masked_fill(~mask, 0.0)
