# expect: wrong
# mistake: The token variant takes one mean over all unmasked tokens of the batch instead of a mean per row first.
import torch


def gspo_loss(logp, old_logp, adv, mask, eps_low=3e-4, eps_high=4e-4, token_variant=False) -> torch.Tensor:
    """Return GSPO's loss, a 0-dim tensor to minimise."""
    batch = logp.shape[0]
    rows, cols = mask.nonzero(as_tuple=True)
    lp = logp[rows, cols]
    old = old_logp[rows, cols].detach()
    n = torch.bincount(rows, minlength=batch)
    log_ratio = torch.zeros(batch, dtype=logp.dtype, device=logp.device).index_add(0, rows, lp - old) / n.clamp(min=1)
    alive = n > 0

    if token_variant:
        s = log_ratio.detach()[rows].exp() * (lp - lp.detach()).exp()
        a = adv.detach()[rows, cols] if adv.dim() == 2 else adv.detach()[rows]
        count = n.sum().clamp(min=1)
    else:
        s = log_ratio[alive].exp()
        a = adv.detach()[alive]
        count = alive.sum().clamp(min=1)
    clipped = s.clamp(1 - eps_low, 1 + eps_high)
    return -torch.min(s * a, clipped * a).sum() / count
