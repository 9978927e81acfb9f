import torch


def maxrl_advantage(success):
    rewards = success.to(torch.float32)
    rate = rewards.mean(dim=1, keepdim=True)
    adv = (rewards - rate) / rewards.mean().clamp(min=1e-8)
    return adv.masked_fill(rate == 0, 0.0)
