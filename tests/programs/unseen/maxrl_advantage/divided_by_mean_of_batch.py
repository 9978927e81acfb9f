# expect: wrong
# mistake: The centered rewards are divided by the mean reward of all answers in the batch, instead of by the mean of the answers to the same prompt.
import torch


def maxrl_advantage(success) -> torch.Tensor:
    rewards = success.to(dtype=torch.float32)
    pass_rates = rewards.mean(dim=1)
    mean = rewards.mean()
    if mean == 0:
        return torch.zeros_like(rewards)
    centered = rewards - pass_rates[:, None]
    return centered / mean
