"""The loss never uses values at masked positions, so they affect neither its value nor its gradient."""

import torch


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    """Return the clipped PPO loss to minimize, the clip fraction and the approximate KL, as three 0-dim tensors.

    Shapes: logp, old_logp, adv [B, T]; mask [B, T] bool.
    Source: arXiv:1707.06347, eq. 7; dual clip: arXiv:1912.09729, eq. 5.
    """
    # torch.where instead of `* mask`, because 0 * NaN is NaN, in the value and in the gradient.
    log_ratio = torch.where(mask, logp - old_logp.detach(), 0.0)
    advantages = torch.where(mask, adv.detach(), 0.0)
    ratio = log_ratio.exp()
    unclipped = -advantages * ratio
    clipped = -advantages * ratio.clamp(1 - eps_low, 1 + eps_high)
    per_token = torch.maximum(unclipped, clipped)
    if dual_c is not None:
        per_token = torch.where(advantages < 0, torch.minimum(per_token, -dual_c * advantages), per_token)

    tokens = mask.sum().clamp(min=1)
    if reduction == "seq":
        row_tokens = mask.sum(dim=1)
        row_means = per_token.sum(dim=1) / row_tokens.clamp(min=1)
        loss = row_means.sum() / (row_tokens > 0).sum().clamp(min=1)
    else:
        loss = per_token.sum() / tokens

    with torch.no_grad():
        clipfrac = (clipped > unclipped).to(logp.dtype).sum() / tokens
        approx_kl = (ratio - 1 - log_ratio).sum() / tokens
    return loss, clipfrac, approx_kl
