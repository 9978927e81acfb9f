import torch


def gdpo_advantage(rewards, weights, eps=1e-4):
    kinds, prompts, answers = rewards.shape
    total = torch.zeros_like(rewards[0])
    dropped = torch.zeros_like(rewards[0][:, :1], dtype=torch.bool)
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
        dropped = dropped | equal
    total = total.masked_fill(dropped, 0.0)
    if total.numel() == 1:
        return total
    return (total - total.mean()) / (total.std() + eps)
