import torch


def group_advantage(rewards, group_id, scale="std", eps=1e-4, unbiased=True):
    _, group, sizes = torch.unique(group_id, return_inverse=True, return_counts=True)
    same = group[:, None] == group[None, :]
    own_size = sizes[group].to(rewards.dtype)
    mean = torch.where(same, rewards[None, :], 0.0).sum(dim=1) / own_size
    centred = rewards - mean
    is_constant = (~same | (rewards[None, :] == rewards[:, None])).all(dim=1)
    degrees = 1 if unbiased else 0
    if scale == "std":
        squares = torch.where(same, centred[None, :].square(), 0.0).sum(dim=1)
        deviation = (squares / (own_size - degrees).clamp(min=1)).sqrt()
        centred = centred / (deviation + eps)
    elif scale == "batch":
        squares = (rewards - rewards.mean()).square().sum()
        centred = centred / ((squares / max(len(rewards) - degrees, 1)).sqrt() + eps)
    return centred.masked_fill(is_constant, 0.0)
