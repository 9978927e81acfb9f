"""A token's gradient is minus its advantage, divided only by counts of tokens and rows."""

import torch


def reinforce_loss(logp, adv, mask, reduction):
    """Return the negative reduced product of advantage and log-probability, a 0-dim tensor.

    Shapes: logp [B, T]; adv [B, T] or [B]; mask [B, T] bool.
    Source: Williams 1992, section 4.
    """
    # Without the extra dimension, [B] would broadcast along the tokens, without an error if B equals T.
    advantages = adv.detach() if adv.dim() == 2 else adv.detach()[:, None]
    # where on both factors, not `* mask`: 0 * NaN is NaN, in the value and in the gradient.
    per_token = -torch.where(mask, advantages, 0.0) * torch.where(mask, logp, 0.0)
    row_tokens = mask.sum(dim=1)
    if reduction == "token":
        return per_token.sum() / row_tokens.sum().clamp(min=1)
    rows = per_token.sum(dim=1)
    if reduction == "seq":
        rows = rows / row_tokens.clamp(min=1)
    return rows.sum() / (row_tokens > 0).sum().clamp(min=1)
