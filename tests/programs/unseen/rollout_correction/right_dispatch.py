# expect: right
import torch


@torch.no_grad()
def rollout_correction(train_logp, rollout_logp, mask, mode, kind, lo, hi):
    zero = torch.zeros_like(train_logp)
    diff = torch.where(mask, train_logp, zero) - torch.where(mask, rollout_logp, zero)
    if mode == "token":
        log_w = diff
    else:
        log_w = diff.sum(dim=1, keepdim=True)
        if mode == "geo":
            log_w = log_w / mask.sum(dim=1, keepdim=True).clamp(min=1)
        log_w = log_w.expand_as(diff)
    w = log_w.clamp(max=20.0).exp()
    if kind == "tis":
        w = w.clamp(max=hi)
    else:
        w = torch.where((w < lo) | (w > hi), zero, w)
    return torch.where(mask, w, zero)
