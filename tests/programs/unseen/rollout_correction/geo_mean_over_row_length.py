# expect: wrong
# mistake: The root in mode "geo" divides by the length T of the row instead of the number of unmasked tokens.
import torch


def rollout_correction(train_logp, rollout_logp, mask, mode, kind, lo, hi) -> torch.Tensor:
    zero = torch.zeros((), dtype=train_logp.dtype)
    log_ratio = torch.where(mask, (train_logp - rollout_logp).detach(), zero)
    if mode == "seq":
        log_ratio = log_ratio.sum(dim=1, keepdim=True).expand_as(log_ratio)
    elif mode == "geo":
        log_ratio = log_ratio.mean(dim=1, keepdim=True).expand_as(log_ratio)
    ratio = log_ratio.clamp(max=20.0).exp()
    if kind == "tis":
        ratio = ratio.clamp(max=hi)
    elif kind == "mis":
        ratio = torch.where((ratio < lo) | (ratio > hi), zero, ratio)
    return torch.where(mask, ratio, zero)
