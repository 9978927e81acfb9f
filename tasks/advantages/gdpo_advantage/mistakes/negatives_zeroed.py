import torch


def gdpo_advantage(rewards, weights, eps=1e-4):
    kinds, prompts, answers = rewards.shape
    total = torch.zeros_like(rewards[0])
    for kind in range(kinds):
        reward = rewards[kind]
        if answers == 1:
            continue
        mean = reward.mean(1, keepdim=True)
        std = reward.std(1, keepdim=True)
        z = (reward - mean) / (std + eps)
        equal = reward.amax(1, keepdim=True) == reward.amin(1, keepdim=True)
        z = z.masked_fill(equal, 0.0)
        total = total + weights[kind] * z
    if total.numel() == 1:
        return total
    return ((total - total.mean()) / (total.std() + eps)).clamp(min=0)
