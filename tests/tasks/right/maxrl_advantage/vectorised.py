import torch


def maxrl_advantage(success):
    right = success.sum(dim=-1, keepdim=True)
    wrong = success.shape[-1] - right
    # (1 - k/G) / (k/G) = (G - k) / k for a right answer, and -1 for a wrong one.
    gain = (wrong / right.clamp(min=1)).expand(success.shape)
    return torch.where(success, gain, torch.zeros_like(gain) - (right > 0).to(gain.dtype))
