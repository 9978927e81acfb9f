# expect: wrong
# mistake: With one answer per prompt the advantage is 0 instead of the reward.
import torch


def rloo_advantage(rewards) -> torch.Tensor:
    """r_i - mean_{j != i} r_j = G / (G - 1) * (r_i - mean r)"""
    G = rewards.shape[1]
    centred = rewards - rewards.mean(dim=1, keepdim=True)
    return centred * (G / max(G - 1, 1))
