# expect: right
import torch


def _bounded(log_weight, kind, lo, hi):
    weight = torch.exp(torch.clamp(log_weight, max=20))
    if kind == "tis":
        return torch.minimum(weight, torch.full_like(weight, hi))
    keep = (weight >= lo) & (weight <= hi)
    return torch.where(keep, weight, torch.zeros_like(weight))


def rollout_correction(train_logp, rollout_logp, mask, mode, kind, lo, hi) -> torch.Tensor:
    train = train_logp.detach()
    rollout = rollout_logp.detach()
    weights = torch.zeros(train.shape, dtype=train.dtype, device=train.device)
    for b in range(train.shape[0]):
        chosen = mask[b]
        n = int(chosen.sum())
        if n == 0:
            continue
        gap = train[b][chosen].double() - rollout[b][chosen].double()
        if mode == "seq":
            gap = gap.sum().repeat(n)
        elif mode == "geo":
            gap = gap.mean().repeat(n)
        weights[b, chosen] = _bounded(gap, kind, lo, hi).to(weights.dtype)
    return weights
