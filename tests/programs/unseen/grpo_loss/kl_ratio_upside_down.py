# expect: wrong
# mistake: The k3 penalty uses the quotient of policy over reference, exp(logp - ref_logp), instead of reference over policy, so it is not unbiased for tokens of the policy.
import torch


def k3(logp, ref_logp):
    """Schulman's low-variance estimator: (r - 1) - log r."""
    log_r = logp - ref_logp
    return log_r.exp() - 1 - log_r


def grpo_loss(logp, old_logp, ref_logp, adv, mask, eps, beta) -> torch.Tensor:
    """Return GRPO's loss, a 0-dim tensor to minimise."""
    zero = torch.zeros((), dtype=logp.dtype, device=logp.device)
    logp = torch.where(mask, logp, zero)
    old_logp = torch.where(mask, old_logp.detach(), zero)
    counts = mask.sum(-1)
    adv = torch.where(counts > 0, adv.detach(), zero)[:, None]

    ratio = torch.exp(logp - old_logp)
    pg1 = -adv * ratio
    pg2 = -adv * torch.clamp(ratio, 1 - eps, 1 + eps)
    loss = torch.maximum(pg1, pg2)
    if beta > 0:
        ref_logp = torch.where(mask, ref_logp.detach(), zero)
        loss = loss + beta * k3(logp, ref_logp)
    per_row = (loss * mask).sum(-1) / counts.clamp(min=1)
    return per_row.sum() / (counts > 0).sum().clamp(min=1)
