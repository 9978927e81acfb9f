"""Zero times minus infinity is never computed, neither for a forbidden token nor at a masked position."""

import torch


def entropy_from_logits(logits, mask):
    """Return the mean entropy over unmasked positions and the entropy of each position, in nats.

    Shapes: logits [..., V]; mask [...] or None; the mean is 0-dim, the entropies [...].
    Source: C. Shannon, A mathematical theory of communication (1948), section 6; arXiv:1602.01783, section 4.
    """
    scores = logits.to(torch.promote_types(logits.dtype, torch.float32))
    if mask is None:
        mask = torch.ones(logits.shape[:-1], dtype=torch.bool, device=logits.device)
    # Before the softmax: a NaN in its input makes the gradient NaN, even if the output is masked afterward.
    scores = torch.where(mask[..., None], scores, 0.0)
    logp = scores.log_softmax(dim=-1)
    surprise = torch.where(logp.isinf(), 0.0, -logp)
    per_token = torch.where(mask, (logp.exp() * surprise).sum(dim=-1), 0.0)
    return per_token.sum() / mask.sum().clamp(min=1), per_token
