import torch


def maxrl_advantage(success):
    rewards = success.to(torch.float32)
    rate = rewards.mean(dim=0, keepdim=True)
    adv = (rewards - rate) / rate
    return adv.masked_fill(rate == 0, 0.0)
