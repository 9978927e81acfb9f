"""Dividing by the pass rate weights each prompt by the inverse of how often it is solved."""

import torch


def maxrl_advantage(success):
    """Return each reward minus the mean of its row, divided by that mean, in float32; 0 in rows without a success.

    Shapes: success and the result [B, G].
    Source: arXiv:2602.02710.
    """
    rewards = success.float()
    mean = rewards.mean(dim=1, keepdim=True)
    return torch.where(mean > 0, (rewards - mean) / mean, 0.0)
