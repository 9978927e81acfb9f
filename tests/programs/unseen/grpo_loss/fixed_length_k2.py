# expect: wrong
# mistake: The row average divides by the padded length T instead of by the number of unmasked tokens of the row.
# mistake: The penalty is the k2 estimator, half the squared log-ratio, instead of k3.
import torch


def grpo_loss(logp, old_logp, ref_logp, adv, mask, eps, beta) -> torch.Tensor:
    """Return GRPO's loss, a 0-dim tensor to minimise."""
    valid = mask.any(dim=1)
    lp = torch.where(mask, logp, torch.zeros_like(logp))
    old = torch.where(mask, old_logp, torch.zeros_like(old_logp)).detach()
    a = torch.where(valid, adv, torch.zeros_like(adv)).detach()[:, None]
    ratio = torch.exp(lp - old)
    loss = -torch.minimum(ratio * a, torch.clamp(ratio, 1 - eps, 1 + eps) * a)
    if beta > 0:
        ref = torch.where(mask, ref_logp, torch.zeros_like(ref_logp)).detach()
        loss = loss + beta * 0.5 * (lp - ref).square()
    loss = torch.where(mask, loss, torch.zeros_like(loss))
    return loss.mean(dim=1).sum() / valid.sum().clamp(min=1)
