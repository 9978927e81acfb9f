"""The difference is limited before exp, because the clamp's zero gradient times exp's infinite one is NaN."""

import torch

ESTIMATE_MAX = 10.0
# At a difference of -20 or 20 the estimate is above 10, so this limit changes no capped estimate.
DIFFERENCE_MAX = 20.0


def policy_loss(logprobs, ref_logprobs, advantages, mask, kl_weight):
    """Return the loss, and the mean over the unmasked tokens of the estimate, which is at most 10 for each token.

    Shapes: logprobs, ref_logprobs, advantages [B, T]; mask [B, T] bool.
    Source: J. Schulman, Approximating KL divergence (2020), the estimator k3.
    """
    chosen = logprobs[mask]
    difference = (ref_logprobs.detach()[mask] - chosen).clamp(-DIFFERENCE_MAX, DIFFERENCE_MAX)
    kl = (torch.exp(difference) - 1 - difference).clamp(max=ESTIMATE_MAX)
    loss = kl_weight * kl - advantages.detach()[mask] * chosen
    return loss.mean(), kl.detach().mean()
