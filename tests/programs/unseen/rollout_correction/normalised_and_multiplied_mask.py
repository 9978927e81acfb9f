# expect: wrong
# mistake: The weights are normalised to mean 1 over the unmasked tokens.
# mistake: The mask is multiplied in, so that NaN at masked positions reaches the weights.
import torch


@torch.no_grad()
def rollout_correction(train_logp, rollout_logp, mask, mode, kind, lo, hi) -> torch.Tensor:
    m = mask.to(train_logp.dtype)
    log_ratio = (train_logp - rollout_logp) * m
    if mode == "seq":
        log_ratio = log_ratio.sum(dim=1, keepdim=True).expand_as(m)
    elif mode == "geo":
        log_ratio = (log_ratio.sum(dim=1, keepdim=True) / m.sum(dim=1, keepdim=True).clamp(min=1)).expand_as(m)
    weights = log_ratio.clamp(max=20.0).exp()
    if kind == "tis":
        weights = weights.clamp(max=hi)
    else:
        weights = torch.where((weights < lo) | (weights > hi), torch.zeros_like(weights), weights)
    weights = weights * m
    mean = weights.sum() / m.sum().clamp(min=1)
    return weights / mean.clamp(min=1e-8)
