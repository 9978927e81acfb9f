"""Boolean indexing drops the padding first, so that no statistic can include it."""

import torch


@torch.no_grad()
def policy_metrics(logp, old_logp, values, returns, mask, eps=0.2):
    """Return the approximate KL, ratio statistics, clip fraction and explained variance over the unmasked tokens.

    Shapes: logp, old_logp, values, returns [B, T]; mask [B, T] bool; each metric is 0-dim.
    Units: approx_kl in nats.
    Source: J. Schulman, "Approximating KL divergence" (2020), estimator k3; arXiv:1707.06347, eq. 7.
    """
    if not mask.any():
        zero = logp.new_zeros(())
        metrics = {"approx_kl": zero, "ratio_mean": zero + 1, "ratio_max": zero + 1, "clipfrac": zero}
        return {**metrics, "explained_variance": zero}
    log_ratio = (logp - old_logp)[mask]
    ratio = log_ratio.exp()
    returns = returns[mask]
    advantages = returns - values[mask]
    is_clipped = torch.where(advantages > 0, ratio > 1 + eps, (ratio < 1 - eps) & (advantages < 0))
    is_constant = (returns == returns[0]).all()
    unexplained = advantages.var(correction=0) / returns.var(correction=0)
    return {
        "approx_kl": (ratio - 1 - log_ratio).mean(),
        "ratio_mean": ratio.mean(),
        "ratio_max": ratio.max(),
        "clipfrac": is_clipped.to(logp.dtype).mean(),
        "explained_variance": torch.where(is_constant, 0.0, 1 - unexplained),
    }
