# expect: wrong
# mistake: A reward is compared with the mean of the other rewards of its group, leaving itself out, instead of the mean of the group.
import torch


def group_advantage(rewards, group_id, scale="std", eps=1e-4, unbiased=True) -> torch.Tensor:
    adv = torch.zeros_like(rewards)
    batch_std = rewards.std(unbiased=unbiased) if len(rewards) > 1 else None
    for g in group_id.unique():
        where = group_id == g
        r = rewards[where]
        n = r.numel()
        if n == 1 or r.min() == r.max():
            continue
        baseline = (r.sum() - r) / (n - 1)
        a = r - baseline
        if scale == "std":
            a = a / (r.std(unbiased=unbiased) + eps)
        elif scale == "batch":
            a = a / (batch_std + eps)
        adv[where] = a
    return adv
