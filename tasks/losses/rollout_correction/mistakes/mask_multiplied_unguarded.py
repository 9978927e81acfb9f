import torch


@torch.no_grad()
def rollout_correction(train_logp, rollout_logp, mask, mode, kind, lo, hi):
    log_weight = (train_logp - rollout_logp) * mask
    if mode != "token":
        log_weight = log_weight.sum(dim=1, keepdim=True)
    if mode == "geo":
        log_weight = log_weight / mask.sum(dim=1, keepdim=True)
    weight = torch.exp(log_weight.clamp(max=20.0))
    if kind == "tis":
        weight = weight.clamp(max=hi)
    else:
        weight = weight * ((weight >= lo) & (weight <= hi))
    return weight * mask
