"""Zero times minus infinity is never formed, neither for a forbidden word nor at a masked place."""

import torch


def entropy_from_logits(logits, mask):
    """Return the mean entropy over unmasked places and the entropy of each place, in nats.

    Shapes: logits [..., V]; mask [...] or None; the mean is 0-dim, the entropies [...].
    Source: C. Shannon, A mathematical theory of communication (1948), section 6; arXiv:1602.01783, section 4.
    """
    scores = logits.to(torch.promote_types(logits.dtype, torch.float32))
    if mask is None:
        mask = torch.ones(logits.shape[:-1], dtype=torch.bool, device=logits.device)
    # Before the softmax: a NaN that goes through it comes back in the gradient, whatever is done with the result.
    scores = torch.where(mask[..., None], scores, 0.0)
    logp = scores.log_softmax(dim=-1)
    surprise = torch.where(logp.isinf(), 0.0, -logp)
    per_token = torch.where(mask, (logp.exp() * surprise).sum(dim=-1), 0.0)
    return per_token.sum() / mask.sum().clamp(min=1), per_token
