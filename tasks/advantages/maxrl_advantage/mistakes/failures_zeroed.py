import torch


def maxrl_advantage(success):
    rewards = success.to(torch.float32)
    rate = rewards.mean(dim=1, keepdim=True)
    adv = ((rewards - rate) / rate).clamp(min=0)
    return adv.masked_fill(rate == 0, 0.0)
