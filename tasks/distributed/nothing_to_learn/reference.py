"""A group's rewards are normalized together, so every rank needs the rewards of all rows first."""

import torch
import torch.distributed as dist

EPSILON = 1e-4


def collect(prompts, group_size, generate, score):
    """Return this rank's rows of the batch: prompts, samples, rewards and advantages, [R] each.

    Assumes: generate and score are costly, so each pair of prompt and sample is generated once, on one rank.
    Source: arXiv:2402.03300, section 4.1.2 (advantages relative to the group).
    """
    pairs = [(prompt, sample) for prompt in prompts for sample in range(group_size)]
    rewards = torch.zeros(len(pairs))
    own = torch.arange(dist.get_rank(), len(pairs), dist.get_world_size())
    for row in own.tolist():
        rewards[row] = score(generate(*pairs[row]))
    # Rows of other ranks are zero here, so the sum over ranks contains every rank's rewards.
    dist.all_reduce(rewards)
    groups = rewards.view(len(prompts), group_size)
    mean = groups.mean(dim=1, keepdim=True)
    advantages = (groups - mean) / (groups.std(dim=1, unbiased=False, keepdim=True) + EPSILON)
    told = torch.tensor(pairs)[own]
    return {
        "prompts": told[:, 0],
        "samples": told[:, 1],
        "rewards": rewards[own],
        "advantages": advantages.flatten()[own],
    }
