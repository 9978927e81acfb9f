import torch


def group_advantage(rewards, group_id, scale="std", eps=1e-4, unbiased=True):
    n_groups = len(torch.unique(group_id))
    table = rewards.reshape(n_groups, -1)
    centred = table - table.mean(dim=1, keepdim=True)
    if scale == "std":
        std = table.std(dim=1, correction=int(unbiased), keepdim=True)
        centred = torch.where(centred.abs().amax(1, keepdim=True) > 1e-6, centred / (std + eps), torch.zeros_like(centred))
    elif scale == "batch":
        centred = centred / (rewards.std(correction=int(unbiased)) + eps)
    return centred.reshape(-1)
