# expect: wrong
# mistake: The centered rewards are divided by the standard deviation of the rewards of the prompt, as in GRPO, instead of by their mean.
import torch


def maxrl_advantage(success) -> torch.Tensor:
    reward = success.float()
    mean = reward.mean(dim=1, keepdim=True)
    std = reward.std(dim=1, keepdim=True, unbiased=False)
    adv = (reward - mean) / std
    return torch.where(std > 0, adv, torch.zeros_like(adv))
