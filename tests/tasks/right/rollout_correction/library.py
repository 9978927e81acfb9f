import torch
from torch.nn import functional as F


def rollout_correction(train_logp, rollout_logp, mask, mode, kind, lo, hi):
    nothing = torch.zeros_like(train_logp).detach()
    trainer = torch.where(mask, train_logp.detach(), nothing)
    engine = torch.where(mask, rollout_logp.detach(), nothing)
    gap = trainer - engine
    if mode in ("seq", "geo"):
        total = torch.einsum("bt->b", gap)
        if mode == "geo":
            total = total / mask.count_nonzero(dim=1).clamp_min(1)
        gap = total.unsqueeze(1).repeat(1, mask.shape[1])
    weight = torch.exp(torch.minimum(gap, torch.full_like(gap, 20.0)))
    if kind == "tis":
        weight = torch.minimum(weight, torch.full_like(weight, hi))
    else:
        weight = weight - F.threshold(weight, hi, 0.0)
        weight = torch.where(weight < lo, nothing, weight)
    return torch.where(mask, weight, nothing)
