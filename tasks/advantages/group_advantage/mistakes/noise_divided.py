import torch


def group_advantage(rewards, group_id, scale="std", eps=1e-4, unbiased=True):
    _, inverse, counts = torch.unique(group_id, return_inverse=True, return_counts=True)
    n = counts.to(rewards.dtype)
    mean = torch.zeros_like(n).index_add(0, inverse, rewards) / n
    centred = rewards - mean[inverse]
    if scale == "none":
        return centred
    if scale == "batch":
        return centred / (rewards.std(correction=int(unbiased)) + eps)
    squares = torch.zeros_like(n).index_add(0, inverse, centred**2)
    std = (squares / (n - int(unbiased)).clamp(min=1)).sqrt()
    return centred / (std[inverse] + eps)
