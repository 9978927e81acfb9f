# expect: wrong
# mistake: "tis" also raises weights below lo to lo.
import torch


@torch.no_grad()
def rollout_correction(train_logp, rollout_logp, mask, mode, kind, lo, hi) -> torch.Tensor:
    delta = torch.where(mask, train_logp - rollout_logp, torch.zeros_like(train_logp))
    if mode in ("seq", "geo"):
        total = delta.sum(dim=1, keepdim=True)
        if mode == "geo":
            total = total / mask.sum(dim=1, keepdim=True).clamp(min=1)
        delta = total.expand_as(delta)
    weight = torch.exp(delta.clamp(max=20.0))
    if kind == "tis":
        weight = weight.clamp(lo, hi)
    else:
        weight = weight * ((weight >= lo) & (weight <= hi))
    return torch.where(mask, weight, torch.zeros_like(weight))
