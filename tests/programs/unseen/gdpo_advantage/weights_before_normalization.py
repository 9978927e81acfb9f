# expect: wrong
# mistake: The weights multiply the raw rewards before step 1, where the normalization cancels them apart from their signs.
import torch


def gdpo_advantage(rewards, weights, eps=1e-4) -> torch.Tensor:
    scaled = rewards * weights[:, None, None]
    if rewards.shape[-1] == 1:
        return torch.zeros_like(rewards[0])
    same = rewards.amax(dim=-1, keepdim=True) == rewards.amin(dim=-1, keepdim=True)
    same = same | (weights == 0)[:, None, None]
    normed = (scaled - scaled.mean(dim=-1, keepdim=True)) / (scaled.std(dim=-1, keepdim=True) + eps)
    normed = torch.where(same, torch.zeros_like(normed), normed)
    total = normed.sum(dim=0)
    if (total == 0).all():
        return torch.zeros_like(total)
    return (total - total.mean()) / (total.std() + eps)
