"""Answers with equal rewards keep their relative probabilities, so their ratio to the policy is the same."""

import math

import torch


def best_of_n_kl(n, probs, rewards):
    """Return KL(best-of-n || policy) in nats for each prompt, and its upper bound log n - (n - 1) / n.

    Shapes: probs and rewards [B, M]; the results [B] and a float.
    Source: arXiv:2401.01879, theorem 3.1.
    """
    # One entry per pair of answers: whether the second has a lower reward, or the same one.
    own, other = rewards[:, :, None], rewards[:, None, :]
    below = ((other < own) * probs[:, None, :]).sum(dim=2)
    level = ((other == own) * probs[:, None, :]).sum(dim=2)
    # The best of n has this reward if all n rewards are at most this high, but not all of them are lower.
    ratio = ((below + level) ** n - below**n) / level
    kept = probs * ratio
    # An answer that is never kept has a probability of 0, or NaN if the policy never gives its reward.
    kl = torch.where(kept > 0, kept * ratio.log(), 0.0).sum(dim=1)
    return kl, math.log(n) - (n - 1) / n
