import torch


def maxrl_advantage(success):
    rewards = success.to(torch.float64)
    rate = rewards.mean(dim=1, keepdim=True)
    adv = (rewards - rate) / rate
    return adv.masked_fill(rate == 0, 0.0)
