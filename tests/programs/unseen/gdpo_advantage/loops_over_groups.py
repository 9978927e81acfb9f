# expect: right
import torch


def normalize(x, eps):
    """Center and scale a vector; equal numbers become exact zeros."""
    if len(x) < 2 or bool((x == x[0]).all()):
        return torch.zeros_like(x)
    centered = x - x.mean()
    std = (centered.square().sum() / (len(x) - 1)).sqrt()
    return centered / (std + eps)


def gdpo_advantage(rewards, weights, eps=1e-4) -> torch.Tensor:
    K, B, G = rewards.shape
    total = torch.zeros(B, G, dtype=rewards.dtype, device=rewards.device)
    for k in range(K):
        for b in range(B):
            total[b] += weights[k] * normalize(rewards[k, b], eps)
    return normalize(total.reshape(-1), eps).reshape(B, G)
