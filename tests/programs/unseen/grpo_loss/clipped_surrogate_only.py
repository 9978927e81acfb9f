# expect: wrong
# mistake: It uses the clipped ratio times the advantage alone, without the minimum with the unclipped term.
import torch


def grpo_loss(logp, old_logp, ref_logp, adv, mask, eps, beta) -> torch.Tensor:
    """Return GRPO's loss, a 0-dim tensor to minimise."""
    old_logp, adv = old_logp.detach(), adv.detach()
    total = logp.masked_fill(~mask, 0.0).sum() * 0.0
    n_rows = 0
    for lp, old, a, keep, row in zip(logp, old_logp, adv, mask, range(len(mask))):
        n = int(keep.sum())
        if n == 0:
            continue
        n_rows += 1
        lp = lp[keep]
        ratio = torch.exp(lp - old[keep])
        objective = torch.clamp(ratio, 1 - eps, 1 + eps) * a
        if beta:
            diff = ref_logp.detach()[row][keep] - lp
            objective = objective - beta * (torch.exp(diff) - diff - 1)
        total = total - objective.sum() / n
    return total / max(n_rows, 1)
