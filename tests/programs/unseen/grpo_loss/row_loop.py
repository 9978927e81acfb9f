# expect: right
import torch


def _policy_term(log_ratio, a, eps):
    ratio = log_ratio.exp()
    clipped = torch.clamp(ratio, min=1.0 - eps, max=1.0 + eps)
    return torch.max(-a * ratio, -a * clipped)


def grpo_loss(logp, old_logp, ref_logp, adv, mask, eps, beta) -> torch.Tensor:
    """Return GRPO's loss, a 0-dim tensor to minimise."""
    row_losses = []
    for b in range(logp.shape[0]):
        keep = mask[b]
        if not keep.any():
            continue
        current = logp[b][keep]
        with torch.no_grad():
            behaviour = old_logp[b][keep]
            a = adv[b]
        token_loss = _policy_term(current - behaviour, a.detach(), eps)
        if beta > 0:
            delta = ref_logp[b][keep].detach() - current
            token_loss = token_loss + beta * (delta.exp() - delta - 1)
        row_losses.append(token_loss.mean())
    if not row_losses:
        return logp[mask].sum()  # the sum of nothing, still attached to the graph
    return torch.stack(row_losses).mean().to(logp.dtype)
