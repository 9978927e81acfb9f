"""The ratio is clipped around the proximal policy; the behavior policy appears only in the importance weight."""

import torch


def decoupled_ppo_loss(logp, prox_logp, behav_logp, adv, mask, eps=0.2, w_cap=None):
    """Return the clipped loss around the proximal policy with importance weights, averaged over unmasked tokens.

    Shapes: logp, prox_logp, behav_logp, adv [B, T]; mask [B, T] bool.
    Source: arXiv:2110.00641 and arXiv:2505.24298, section 5.2.
    """
    # torch.where instead of `* mask`, because 0 * NaN is NaN, in the value and in the gradient.
    ratio = torch.where(mask, logp - prox_logp.detach(), 0.0).exp()
    with torch.no_grad():
        advantages = torch.where(mask, adv, 0.0)
        weights = torch.where(mask, prox_logp - behav_logp, 0.0).exp()
        if w_cap is not None:
            weights = torch.where(weights > w_cap, 0.0, weights)
    per_token = torch.maximum(-advantages * ratio, -advantages * ratio.clamp(1 - eps, 1 + eps))
    return (weights * per_token).sum() / mask.sum().clamp(min=1)
