# expect: wrong
# mistake: The sum of the other rewards is divided by G instead of G - 1.
# mistake: The input is changed in place.
import torch


def rloo_advantage(rewards) -> torch.Tensor:
    G = rewards.shape[1]
    others = rewards.sum(dim=1, keepdim=True) - rewards
    rewards -= others / G
    return rewards
