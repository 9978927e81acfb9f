# expect: right
import torch


def grpo_loss(logp, old_logp, ref_logp, adv, mask, eps, beta) -> torch.Tensor:
    """Return GRPO's loss, a 0-dim tensor to minimise."""
    dtype = logp.dtype
    lp = torch.where(mask, logp, 0.0)
    old = torch.where(mask, old_logp.detach().to(dtype), 0.0)
    has_tokens = mask.any(dim=1)
    advantage = torch.where(has_tokens, adv.detach().to(dtype), 0.0).unsqueeze(1)

    ratio = torch.exp(lp - old)
    surrogate = torch.minimum(ratio * advantage, ratio.clamp(1 - eps, 1 + eps) * advantage)
    per_token = -surrogate
    if ref_logp is not None and beta != 0:
        gap = torch.where(mask, ref_logp.detach().to(dtype), 0.0) - lp
        per_token = per_token + beta * (torch.expm1(gap) - gap)

    per_token = torch.where(mask, per_token, 0.0)
    lengths = mask.sum(dim=1).clamp(min=1)
    row_means = per_token.sum(dim=1) / lengths
    return (row_means.sum() / has_tokens.sum().clamp(min=1)).to(dtype)
