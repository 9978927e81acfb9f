"""Every row with tokens has the same weight, regardless of its length, and the KL penalty is never clipped."""

import torch


def grpo_loss(logp, old_logp, ref_logp, adv, mask, eps, beta):
    """Return the clipped loss plus the weighted KL estimate, averaged over tokens and then over rows, a 0-dim tensor.

    Shapes: logp, old_logp, ref_logp [B, T]; adv [B]; mask [B, T] bool.
    Source: arXiv:2402.03300, eq. 3 and eq. 4.
    """
    # torch.where instead of `* mask`, because 0 * NaN is NaN, in the value and in the gradient.
    ratio = torch.where(mask, logp - old_logp.detach(), 0.0).exp()
    advantages = torch.where(mask, adv.detach()[:, None], 0.0)  # [B, T]
    per_token = torch.maximum(-advantages * ratio, -advantages * ratio.clamp(1 - eps, 1 + eps))
    if beta:
        towards_ref = torch.where(mask, ref_logp.detach() - logp, 0.0)
        # The sample comes from the current policy, so the estimate uses the ratio of reference to current.
        per_token = per_token + beta * (towards_ref.expm1() - towards_ref)
    row_tokens = mask.sum(dim=1)
    row_means = per_token.sum(dim=1) / row_tokens.clamp(min=1)
    return row_means.sum() / (row_tokens > 0).sum().clamp(min=1)
