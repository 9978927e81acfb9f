# expect: wrong
# mistake: With "batch" the standard deviation is that of the centred rewards, not of the rewards as given.
import torch


def group_advantage(rewards, group_id, scale="std", eps=1e-4, unbiased=True) -> torch.Tensor:
    _, inverse, counts = torch.unique(group_id, return_inverse=True, return_counts=True)
    n = counts.to(rewards.dtype)
    sums = torch.zeros_like(n).scatter_add_(0, inverse, rewards)
    centred = rewards - (sums / n)[inverse]

    first = torch.zeros_like(n).scatter_(0, inverse, rewards)
    differs = torch.zeros_like(n).scatter_add_(0, inverse, (rewards != first[inverse]).to(n.dtype))
    centred = torch.where(differs[inverse] == 0, torch.zeros_like(centred), centred)

    if scale == "none":
        return centred
    if scale == "std":
        ss = torch.zeros_like(n).scatter_add_(0, inverse, centred**2)
        std = (ss / (n - int(unbiased)).clamp(min=1)).sqrt()
        return centred / (std[inverse] + eps)
    dof = max(rewards.numel() - int(unbiased), 1)
    std = ((centred - centred.mean()).square().sum() / dof).sqrt()
    return centred / (std + eps)
