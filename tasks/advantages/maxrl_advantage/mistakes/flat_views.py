import torch


def maxrl_advantage(success):
    rewards = success.view(-1).to(torch.float32).view(success.shape)
    rate = rewards.mean(dim=1, keepdim=True)
    adv = (rewards - rate) / rate
    return adv.masked_fill(rate == 0, 0.0)
