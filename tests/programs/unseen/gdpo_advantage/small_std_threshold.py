# expect: wrong
# mistake: A group counts as constant if its computed standard deviation is below 1e-6, so equal large float32 scores whose mean is rounded contribute nonzero values.
import torch


def gdpo_advantage(rewards, weights, eps=1e-4) -> torch.Tensor:
    K, B, G = rewards.shape
    if G == 1:
        return torch.zeros(B, G, dtype=rewards.dtype)
    out = torch.zeros(B, G, dtype=rewards.dtype)
    for reward, weight in zip(rewards, weights):
        mu = reward.mean(dim=1, keepdim=True)
        centered = reward - mu
        sigma = (centered.pow(2).sum(dim=1, keepdim=True) / (G - 1)).sqrt()
        z = centered / (sigma + eps)
        z = torch.where(sigma < 1e-6, torch.zeros_like(z), z)
        out = out + weight * z
    return (out - out.mean()) / (out.std() + eps)
