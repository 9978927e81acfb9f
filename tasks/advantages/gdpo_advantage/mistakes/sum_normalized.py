import torch


def gdpo_advantage(rewards, weights, eps=1e-4):
    total = (weights[:, None, None] * rewards).sum(0)
    if total.shape[1] == 1:
        return torch.zeros_like(total)
    equal = (rewards.amax(2, keepdim=True) == rewards.amin(2, keepdim=True)).all(0)
    total = (total - total.mean(1, keepdim=True)) / (total.std(1, keepdim=True) + eps)
    total = total.masked_fill(equal, 0.0)
    return total
