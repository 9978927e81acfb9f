# expect: right
import torch


def group_advantage(rewards, group_id, scale="std", eps=1e-4, unbiased=True) -> torch.Tensor:
    """Return the advantage of each answer, [N]."""
    members = {}
    for position, group in enumerate(group_id.tolist()):
        members.setdefault(group, []).append(position)

    adv = torch.zeros_like(rewards)
    for positions in members.values():
        part = rewards[positions]
        if bool((part == part[0]).all()):
            continue
        distance = part - part.mean()
        if scale == "std":
            distance = distance / (part.std(unbiased=unbiased) + eps)
        elif scale == "batch":
            # Two different rewards exist here, so the deviation of the batch is defined.
            distance = distance / (rewards.std(unbiased=unbiased) + eps)
        adv[positions] = distance
    return adv
