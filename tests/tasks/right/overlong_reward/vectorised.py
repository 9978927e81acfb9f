import torch


def overlong_reward(len, L_max, L_cache):
    left = (L_max - len).float()
    reward = torch.minimum((left - L_cache) / L_cache, torch.zeros_like(left))
    return torch.maximum(reward, -torch.ones_like(left))
