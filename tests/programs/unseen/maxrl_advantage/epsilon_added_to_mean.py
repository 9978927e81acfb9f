# expect: wrong
# mistake: 0.0001 is added to the mean reward before the division, although nothing may be added to the divisor.
import torch

EPS = 1e-4


def maxrl_advantage(success) -> torch.Tensor:
    rewards = success.float()
    mean = rewards.mean(dim=-1, keepdim=True)
    return (rewards - mean) / (mean + EPS)
