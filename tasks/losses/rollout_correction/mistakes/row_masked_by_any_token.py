import torch


@torch.no_grad()
def rollout_correction(train_logp, rollout_logp, mask, mode, kind, lo, hi):
    log_ratio = (train_logp - rollout_logp).masked_fill(~mask, 0.0)
    if mode == "token":
        log_weight = log_ratio
    else:
        log_weight = log_ratio.sum(dim=1, keepdim=True)
        if mode == "geo":
            log_weight = log_weight / mask.sum(dim=1, keepdim=True).clamp(min=1)
    weight = torch.exp(log_weight.clamp(max=20.0))
    if kind == "tis":
        weight = weight.clamp(max=hi)
    else:
        own = torch.exp(log_ratio)
        outside = ((own < lo) | (own > hi)) & mask
        if mode != "token":
            outside = outside.any(dim=1, keepdim=True)
        weight = weight.masked_fill(outside, 0.0)
    return weight.expand(mask.shape).masked_fill(~mask, 0.0)
