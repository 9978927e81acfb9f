# expect: right
import torch


def group_advantage(rewards, group_id, scale="std", eps=1e-4, unbiased=True) -> torch.Tensor:
    """Return the advantage of each answer, [N]."""
    if rewards.numel() == 0:
        return rewards.clone()
    x = rewards.double()
    ids, index = torch.unique(group_id, return_inverse=True)
    groups = ids.numel()
    size = torch.zeros(groups, dtype=x.dtype, device=x.device).index_add_(0, index, torch.ones_like(x))
    mean = torch.zeros_like(size).index_add_(0, index, x) / size
    low = torch.full_like(size, float("inf")).scatter_reduce_(0, index, x, "amin")
    high = torch.full_like(size, float("-inf")).scatter_reduce_(0, index, x, "amax")
    centred = x - mean[index]
    if scale == "std":
        squares = torch.zeros_like(size).index_add_(0, index, centred.square())
        variance = squares / (size - 1 if unbiased else size).clamp(min=1)
        adv = centred / (variance.sqrt()[index] + eps)
    elif scale == "batch":
        deviation = x.std(correction=1 if unbiased and x.numel() > 1 else 0)
        adv = centred / (deviation + eps)
    elif scale == "none":
        adv = centred
    else:
        raise ValueError(f"unknown scale {scale!r}")
    constant = (low == high)[index]
    return adv.masked_fill(constant, 0.0).to(rewards.dtype)
