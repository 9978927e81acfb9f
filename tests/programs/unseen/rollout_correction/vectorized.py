# expect: right
import torch


@torch.no_grad()
def rollout_correction(train_logp, rollout_logp, mask, mode, kind, lo, hi) -> torch.Tensor:
    train = torch.where(mask, train_logp, torch.zeros_like(train_logp)).double()
    rollout = torch.where(mask, rollout_logp, torch.zeros_like(rollout_logp)).double()
    log_weight = train - rollout
    if mode != "token":
        row = log_weight.sum(dim=1, keepdim=True)
        if mode == "geo":
            row = row / mask.sum(dim=1, keepdim=True).clamp(min=1)
        log_weight = row.expand_as(log_weight)
    weight = log_weight.clamp(max=20.0).exp()
    if kind == "tis":
        weight = weight.clamp(max=hi)
    else:
        weight = weight.masked_fill((weight < lo) | (weight > hi), 0.0)
    return weight.masked_fill(~mask, 0.0).to(train_logp.dtype)
