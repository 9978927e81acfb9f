"""The value is always the plain ratio; at forking tokens, the gradient is that of a mixture of log-probabilities."""

import math

import torch


def simko_ratio(logits, old_logits, tokens, correct, mask, alpha=0.01, K=3, q=0.8, penalty=1.1):
    """Return the ratios with SimKO's gradient and the factors for the advantages.

    Shapes: logits, old_logits [B, T, V]; tokens, mask and both results [B, T]; correct [B].
    Source: arXiv:2510.14807.
    """
    # torch.where instead of `* mask`, because 0 * NaN is NaN, in the value and in the gradient.
    current = torch.where(mask[..., None], logits, 0.0).log_softmax(dim=-1)
    sampled = torch.where(mask, tokens, 0)[..., None]
    own = current.gather(2, sampled)[..., 0]
    with torch.no_grad():
        old = torch.where(mask[..., None], old_logits, 0.0).log_softmax(dim=-1)
        candidates = old.topk(K, dim=-1).indices
        entropy = -(current.exp() * current).sum(dim=-1)
        # The quantile of an empty row is NaN, and no entropy exceeds NaN.
        threshold = entropy.masked_fill(~mask, math.nan).nanquantile(q, dim=1, keepdim=True)
        is_fork = mask & (entropy > threshold)
        is_favorite = current.argmax(dim=-1) == sampled[..., 0]
        share = torch.where(is_fork & correct[:, None], alpha, 0.0).to(logits.dtype)
        scale = torch.where(is_fork & ~correct[:, None] & is_favorite, penalty, 1.0).to(logits.dtype)
        value = (own - old.gather(2, sampled)[..., 0]).exp()
    # The gradient is the ratio times the mixture's gradient: that is what remains if the candidates' ratios are
    # rescaled to the sampled token's.
    mixture = (1 - share) * own + share * current.gather(2, candidates).mean(dim=-1)
    return value * (mixture - mixture.detach()).exp(), scale
