# expect: wrong
# mistake: Step 1 takes the mean and the standard deviation of each reward over all answers of the batch instead of over each group.
import torch


def gdpo_advantage(rewards, weights, eps=1e-4) -> torch.Tensor:
    K, B, G = rewards.shape
    if G == 1:
        return rewards.new_zeros(B, G)
    flat = rewards.reshape(K, B * G)
    z = (flat - flat.mean(dim=1, keepdim=True)) / (flat.std(dim=1, keepdim=True) + eps)
    z = z.view(K, B, G)
    constant = rewards.max(dim=2, keepdim=True).values == rewards.min(dim=2, keepdim=True).values
    z = z.masked_fill(constant, 0.0)
    total = (z * weights.reshape(K, 1, 1)).sum(0)
    if not total.any():
        return total
    return (total - total.mean()) / (total.std() + eps)
