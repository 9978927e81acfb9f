"""Both counts and probabilities are divided by the number of tokens in the set, not by that of the microbatch."""

import torch


def load_balance_aux_loss(logits, mask, k, per_sequence=False, global_counts=None, z_coef=0.0):
    """Return the load-balancing loss of a microbatch plus its z-loss.

    Shapes: logits [B, T, E]; mask [B, T]; global_counts [E]; the result is 0-dim.
    Source: arXiv:2101.03961, section 2.2; the normalization is that of Megatron's `switch_load_balancing_loss_func`.
    """
    is_real = mask[..., None]
    # torch.where instead of `* mask`, because 0 * NaN is NaN.
    logits = torch.where(is_real, logits, 0.0)
    chosen = torch.zeros_like(logits).scatter(2, logits.topk(k).indices, 1.0) * is_real
    probs = logits.softmax(dim=2) * is_real
    z_sum = (mask * logits.logsumexp(dim=2) ** 2).sum()
    if per_sequence:
        losses = _balance(chosen.sum(dim=1), probs.sum(dim=1), mask.sum(dim=1), k)
        return losses.sum() / mask.any(dim=1).sum().clamp(min=1) + z_coef * z_sum / mask.sum().clamp(min=1)
    counts = chosen.sum(dim=(0, 1)) if global_counts is None else global_counts
    tokens = counts.sum() / k
    return _balance(counts, probs.sum(dim=(0, 1)), tokens, k) + z_coef * z_sum / tokens.clamp(min=1)


def _balance(counts, prob_sums, tokens, k):
    """Return E * sum(f * P); `counts` are constants, so the gradient flows only through the probabilities."""
    return counts.shape[-1] * (counts * prob_sums).sum(dim=-1) / (k * tokens.clamp(min=1) ** 2)
