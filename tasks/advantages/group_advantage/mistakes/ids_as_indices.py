import torch


def group_advantage(rewards, group_id, scale="std", eps=1e-4, unbiased=True):
    n_groups = int(group_id.max()) + 1
    count = torch.zeros(n_groups, dtype=rewards.dtype, device=rewards.device)
    count.index_add_(0, group_id, torch.ones_like(rewards))
    total = torch.zeros_like(count).index_add_(0, group_id, rewards)
    mean = total / count.clamp(min=1)
    centred = rewards - mean[group_id]
    squares = torch.zeros_like(count).index_add_(0, group_id, centred**2)
    std = (squares / (count - int(unbiased)).clamp(min=1)).sqrt()
    low = torch.full_like(count, float("inf")).scatter_reduce_(0, group_id, rewards, "amin")
    high = torch.full_like(count, float("-inf")).scatter_reduce_(0, group_id, rewards, "amax")
    centred = torch.where((low == high)[group_id], torch.zeros_like(centred), centred)
    if scale == "std":
        return centred / (std[group_id] + eps)
    if scale == "batch":
        return centred / (rewards.std(correction=int(unbiased)) + eps)
    return centred
