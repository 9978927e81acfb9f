import torch


def gdpo_advantage(rewards, weights, eps=1e-4):
    if rewards.shape[2] == 1:
        return torch.zeros_like(rewards[0])
    if rewards.shape[1] == 1:
        return torch.zeros_like(rewards[0])
    z = (rewards - rewards.mean(1, keepdim=True)) / (rewards.std(1, keepdim=True) + eps)
    equal = rewards.amax(2, keepdim=True) == rewards.amin(2, keepdim=True)
    total = (weights[:, None, None] * z.masked_fill(equal, 0.0)).sum(0)
    return (total - total.mean()) / (total.std() + eps)
