# expect: wrong
# mistake: The policy term is always the clipped ratio times the advantage, without the minimum with the unclipped term.
import torch


def grpo_loss(logp, old_logp, ref_logp, adv, mask, eps, beta):
    safe = lambda t: torch.where(mask, t, t.new_zeros(()))  # noqa: E731
    cur = safe(logp)
    behaviour = safe(old_logp).detach()
    advantage = safe(adv[:, None].expand(logp.shape)).detach()

    ratio = torch.exp(cur - behaviour).clamp(1.0 - eps, 1.0 + eps)
    loss = -ratio * advantage
    if beta > 0:
        x = safe(ref_logp).detach() - cur
        loss = loss + beta * (torch.exp(x) - x - 1.0)

    w = mask.to(logp.dtype)
    tokens_per_row = w.sum(dim=1, keepdim=True)
    active_rows = (tokens_per_row > 0).sum().clamp(min=1)
    w = w / tokens_per_row.clamp(min=1.0) / active_rows
    return (loss * w).sum()
