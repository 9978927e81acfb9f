"""Weights act after the normalization of each reward; before it, they would cancel."""

import torch


def gdpo_advantage(rewards, weights, eps=1e-4):
    """Return the weighted sum of the rewards normalized within their groups, divided by its deviation over the batch.

    Shapes: rewards [K, B, G]; weights [K]; the result [B, G].
    Source: arXiv:2601.05242.
    """
    if rewards.shape[2] == 1:  # the standard deviation of one number is undefined
        return torch.zeros_like(rewards[0])
    centered = rewards - rewards.mean(dim=2, keepdim=True)
    is_equal = (rewards == rewards[:, :, :1]).all(dim=2, keepdim=True)
    normalized = torch.where(is_equal, 0.0, centered / (rewards.std(dim=2, keepdim=True) + eps))
    sums = (weights[:, None, None] * normalized).sum(dim=0)
    # The sums of each group add up to 0, so their mean over the batch is 0 already.
    return sums / (sums.std() + eps)
