# expect: wrong
# mistake: The KL penalty is computed without gradient, so only its value enters the loss and it does not pull logp towards the reference.
import torch


def reference_penalty(logp, ref_logp):
    with torch.no_grad():
        diff = ref_logp - logp
        return diff.exp() - diff - 1


def grpo_loss(logp, old_logp, ref_logp, adv, mask, eps, beta) -> torch.Tensor:
    """Return GRPO's loss, a 0-dim tensor to minimise."""
    lp = logp.masked_fill(~mask, 0)
    old = old_logp.detach().masked_fill(~mask, 0)
    valid = mask.any(1)
    a = adv.detach().masked_fill(~valid, 0).view(-1, 1)
    ratio = (lp - old).exp()
    token = -torch.min(a * ratio, a * ratio.clamp(1 - eps, 1 + eps))
    if beta > 0:
        token = token + beta * reference_penalty(lp, ref_logp.detach().masked_fill(~mask, 0))
    token = token.masked_fill(~mask, 0)
    rows = token.sum(1) / mask.sum(1).clamp(min=1)
    return rows.sum() / valid.sum().clamp(min=1)
