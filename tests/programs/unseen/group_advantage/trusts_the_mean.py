# expect: wrong
# mistake: Groups of equal rewards are not set to 0, so that a rounding error of the mean is divided by the small eps.
import torch


def group_advantage(rewards, group_id, scale="std", eps=1e-4, unbiased=True) -> torch.Tensor:
    uniq, idx = torch.unique(group_id, return_inverse=True)
    one_hot = (idx[None, :] == torch.arange(len(uniq), device=idx.device)[:, None]).to(rewards.dtype)
    count = one_hot.sum(dim=1)
    mean = (one_hot @ rewards) / count
    diff = rewards - mean[idx]
    diff = diff.masked_fill(count[idx] == 1, 0.0)
    if scale == "std":
        var = (one_hot @ diff.square()) / (count - 1 if unbiased else count).clamp(min=1)
        diff = diff / (var[idx].sqrt() + eps)
    elif scale == "batch" and rewards.numel() > 1:
        diff = diff / (rewards.std(unbiased=unbiased) + eps)
    return diff
