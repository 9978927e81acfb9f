import torch


def maxrl_advantage(success):
    rewards = success.to(torch.float32)
    rate = rewards.mean(dim=1, keepdim=True)
    adv = rewards / rate.clamp(min=1e-8) - 1
    return adv
