import torch


def maxrl_advantage(success):
    rewards = success.to(torch.float32)
    rate = rewards.mean(dim=1, keepdim=True)
    others = (rewards.sum(dim=1, keepdim=True) - rewards) / max(rewards.shape[1] - 1, 1)
    adv = (rewards - rate) / others.clamp(min=1e-8)
    return adv.masked_fill(rate == 0, 0.0)
