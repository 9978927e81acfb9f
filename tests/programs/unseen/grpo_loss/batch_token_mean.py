# expect: wrong
# mistake: It averages over all unmasked tokens of the batch at once instead of over each row first and then over rows.
import torch


def grpo_loss(logp, old_logp, ref_logp, adv, mask, eps, beta) -> torch.Tensor:
    """Return GRPO's loss, a 0-dim tensor to minimise."""
    rows, cols = mask.nonzero(as_tuple=True)
    lp = logp[rows, cols]
    old = old_logp.detach()[rows, cols]
    a = adv.detach()[rows]
    ratio = (lp - old).exp()
    loss = -torch.min(ratio * a, ratio.clamp(1 - eps, 1 + eps) * a)
    if beta > 0:
        d = ref_logp.detach()[rows, cols] - lp
        loss = loss + beta * (d.exp() - 1 - d)
    return loss.sum() / max(rows.numel(), 1)
