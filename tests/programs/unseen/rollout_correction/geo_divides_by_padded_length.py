# expect: wrong
# mistake: In mode "geo" the row's sum is divided by the row length T instead of by the number of unmasked tokens.
import torch


def rollout_correction(train_logp, rollout_logp, mask, mode, kind, lo, hi):
    with torch.no_grad():
        d = torch.where(mask, train_logp - rollout_logp, torch.zeros_like(train_logp))
        if mode == "seq":
            d = d.sum(dim=-1, keepdim=True).expand_as(d)
        elif mode == "geo":
            d = d.mean(dim=-1, keepdim=True).expand_as(d)
        w = d.clamp(max=20).exp()
        if kind == "tis":
            w = torch.minimum(w, torch.full_like(w, hi))
        else:
            w = w.masked_fill((w < lo) | (w > hi), 0.0)
        return w.masked_fill(~mask, 0.0)
