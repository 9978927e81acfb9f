# expect: wrong
# mistake: The ratio is upside down: the engine's probability over the trainer's.
import torch


def rollout_correction(train_logp, rollout_logp, mask, mode, kind, lo, hi) -> torch.Tensor:
    with torch.no_grad():
        diff = (rollout_logp - train_logp).masked_fill(~mask, 0.0)
        n = mask.sum(-1, keepdim=True).clamp(min=1)
        if mode == "seq":
            diff = diff.sum(-1, keepdim=True).expand(diff.shape)
        elif mode == "geo":
            diff = (diff.sum(-1, keepdim=True) / n).expand(diff.shape)
        w = diff.clamp(max=20).exp()
        if kind == "tis":
            w = w.clamp(max=hi)
        else:
            w = torch.where((w >= lo) & (w <= hi), w, torch.zeros_like(w))
        return w.masked_fill(~mask, 0.0).to(train_logp.dtype)
