import torch


def rloo_advantage(rewards):
    count = rewards.shape[1]
    if count == 1:
        return rewards + 0
    weights = torch.full((count, count), -1 / (count - 1), dtype=rewards.dtype, device=rewards.device)
    weights.fill_diagonal_(1)
    return rewards @ weights
