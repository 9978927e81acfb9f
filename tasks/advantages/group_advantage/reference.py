"""A group with equal rewards gets exactly zero, which floating-point arithmetic alone does not guarantee."""

import torch


def group_advantage(rewards, group_id, scale="std", eps=1e-4, unbiased=True):
    """Return the advantage of each answer within its group, in the order of the rewards.

    Shapes: rewards, group_id and the result [N].
    Source: arXiv:2402.03300, section 4.1.2; without division: arXiv:2503.20783, section 3; batch: arXiv:2508.08221.
    """
    advantages = torch.zeros_like(rewards)
    for group in group_id.unique():
        is_member = group_id == group
        own = rewards[is_member]
        if (own == own[0]).all():  # including groups of one, whose deviation is undefined
            continue
        advantages[is_member] = own - own.mean()
        if scale != "none":
            spread = rewards if scale == "batch" else own
            advantages[is_member] /= spread.std(correction=int(unbiased)) + eps
    return advantages
