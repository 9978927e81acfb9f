# expect: wrong
# mistake: Rows without any unmasked token count as rows with loss 0 in the mean over rows.
import torch


def grpo_loss(logp, old_logp, ref_logp, adv, mask, eps, beta) -> torch.Tensor:
    """Return GRPO's loss, a 0-dim tensor to minimise."""
    empty = mask.logical_not()
    current = logp.masked_fill(empty, 0.0)
    behaviour = old_logp.detach().masked_fill(empty, 0.0)
    lengths = mask.sum(dim=-1, keepdim=True)
    a = adv.detach().unsqueeze(-1).masked_fill(lengths == 0, 0.0)

    ratio = torch.exp(current - behaviour)
    token_loss = -torch.minimum(a * ratio, a * ratio.clamp(min=1 - eps, max=1 + eps))
    if beta != 0:
        x = ref_logp.detach().masked_fill(empty, 0.0) - current
        token_loss = token_loss + beta * (torch.exp(x) - x - 1)

    weights = mask / lengths.clamp(min=1)
    return (token_loss * weights.to(token_loss.dtype)).sum(dim=-1).mean()
