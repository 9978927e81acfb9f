import torch


def gdpo_advantage(rewards, weights, eps=1e-4):
    _, prompts, answers = rewards.shape
    if answers == 1:
        return torch.zeros(prompts, answers, dtype=rewards.dtype, device=rewards.device)
    # Differences from the first answer are exactly 0 where all scores of a group are equal.
    shifted = rewards - rewards[..., :1]
    centered = shifted - shifted.mean(dim=-1, keepdim=True)
    std = (centered.square().sum(dim=-1, keepdim=True) / (answers - 1)).sqrt()
    sums = (weights[:, None, None] * centered / (std + eps)).sum(dim=0)
    rest = sums - sums.mean()
    spread = (rest.square().sum() / (sums.numel() - 1)).sqrt()
    return rest / (spread + eps)
