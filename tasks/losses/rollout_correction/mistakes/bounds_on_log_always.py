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
    log_weight = log_weight.clamp(max=20.0)
    if kind == "tis":
        weight = torch.exp(log_weight.clamp(max=hi))
    else:
        weight = torch.exp(log_weight).masked_fill((log_weight < lo) | (log_weight > hi), 0.0)
    return weight.expand(mask.shape).masked_fill(~mask, 0.0)
