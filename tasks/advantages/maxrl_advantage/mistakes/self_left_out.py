import torch


def maxrl_advantage(success):
    rewards = success.to(torch.float32)
    rate = rewards.mean(dim=1, keepdim=True)
    others = (rewards.sum(dim=1, keepdim=True) - rewards) / max(rewards.shape[1] - 1, 1)
    adv = (rewards - others) / rate
    return adv.masked_fill(rate == 0, 0.0)
