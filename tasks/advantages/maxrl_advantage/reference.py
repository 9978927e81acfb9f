"""Dividing by the pass rate weights each prompt by the inverse of that rate."""

import torch


def maxrl_advantage(success):
    """Return each reward minus the mean of its row, divided by that mean, in float32; 0 in rows without success.

    Shapes: success and the result [B, G].
    Source: arXiv:2602.02710.
    """
    rewards = success.float()
    mean = rewards.mean(dim=1, keepdim=True)
    return torch.where(mean > 0, (rewards - mean) / mean, 0.0)
