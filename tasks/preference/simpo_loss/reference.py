"""Minus the log of a sigmoid is the softplus of the negated argument, which is stable for both signs."""

import torch.nn.functional as F


def simpo_loss(avg_logp_w, avg_logp_l, beta=2.0, gamma=1.0):
    """Return the mean negative log-likelihood that the preferred answers win by the margin, a 0-dim tensor.

    Shapes: avg_logp_w, avg_logp_l [B].
    Units: average log-probabilities in nats per token; gamma in units of the reward.
    Source: arXiv:2405.14734, eq. 6.
    """
    lead = beta * (avg_logp_w - avg_logp_l) - gamma
    return F.softplus(-lead).mean()
