import torch


def maxrl_advantage(success):
    rewards = 2 * success.to(torch.float32) - 1
    rate = rewards.mean(dim=1, keepdim=True)
    adv = (rewards - rate) / rate
    return adv.masked_fill(~success.any(dim=1, keepdim=True), 0.0).nan_to_num(0.0, 0.0, 0.0)
