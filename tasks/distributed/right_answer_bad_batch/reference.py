"""Mean and deviation are those of all ranks' tokens, so sums and counts are reduced, never means."""

import torch
import torch.distributed as dist

EPSILON = 1e-8


def sum_over_ranks(value):
    """Return the tensor itself, replaced by its sum over all ranks."""
    dist.all_reduce(value)
    return value


def prepare(batch, gamma, lam):
    """Return whitened advantages and the targets of the values, [B, T] each, 0 where masked.

    Shapes: batch has rewards, values and mask [B, T], of this rank.
    Assumes: a default process group; each row's unmasked tokens come first; at least one unmasked token over all ranks.
    Source: arXiv:1506.02438, eq. 16 (the advantages); arXiv:2006.05990, appendix B (their normalization).
    """
    rewards, values, mask = batch["rewards"], batch["values"], batch["mask"]
    advantages = torch.zeros_like(rewards)
    following = next_value = torch.zeros_like(rewards[:, 0])
    for t in reversed(range(rewards.shape[1])):
        delta = rewards[:, t] + gamma * next_value - values[:, t]
        following = torch.where(mask[:, t], delta + gamma * lam * following, 0.0)
        next_value = torch.where(mask[:, t], values[:, t], 0.0)
        advantages[:, t] = following
    count = sum_over_ranks(mask.sum())
    mean = sum_over_ranks(advantages[mask].sum()) / count
    # Around the mean of all ranks: averaging the ranks' own variances would omit the differences between their means.
    deviation = (sum_over_ranks((advantages - mean)[mask].square().sum()) / count).sqrt()
    return {
        "advantages": torch.where(mask, (advantages - mean) / (deviation + EPSILON), 0.0),
        "targets": torch.where(mask, advantages + values, 0.0),
    }
