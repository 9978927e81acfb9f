import torch


def maxrl_advantage(success):
    rewards = success.to(torch.float32)
    rate = rewards.mean(dim=1, keepdim=True)
    adv = (rate - rewards) / rate
    return adv.masked_fill(rate == 0, 0.0)
