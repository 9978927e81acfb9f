"""All tokens of an answer share one ratio, in which each token has the same weight and padding has none."""

import torch


def gspo_loss(logp, old_logp, adv, mask, eps_low=3e-4, eps_high=4e-4, token_variant=False):
    """Return the clipped loss with sequence-level ratios, a 0-dim tensor; every row with tokens has the same weight.

    Shapes: logp, old_logp [B, T]; adv [B], or [B, T] with token_variant; mask [B, T] bool.
    Source: arXiv:2507.18071, sections 4.1 and 4.3.
    """
    counts = mask.sum(dim=1)
    lengths = counts.clamp(min=1)
    # torch.where instead of `* mask`, because 0 * NaN is NaN, in the value and in the gradient.
    log_ratio = torch.where(mask, logp - old_logp.detach(), 0.0)
    ratio = (log_ratio.sum(dim=1) / lengths).exp()  # [B]
    if token_variant:
        own = torch.where(mask, logp, 0.0)
        ratio = ratio.detach()[:, None] * (own - own.detach()).exp()  # [B, T]; the factor is 1 but has a gradient
        advantages = torch.where(mask, adv if adv.dim() == 2 else adv[:, None], 0.0).detach()
    else:
        advantages = torch.where(counts > 0, adv, 0.0).detach()
    loss = torch.maximum(-advantages * ratio, -advantages * ratio.clamp(1 - eps_low, 1 + eps_high))
    if token_variant:
        loss = loss.sum(dim=1) / lengths
    return loss.sum() / (counts > 0).sum().clamp(min=1)
