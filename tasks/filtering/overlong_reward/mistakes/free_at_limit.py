import torch


def overlong_reward(len, L_max, L_cache):
    excess = len - (L_max - L_cache)
    reward = -(excess / L_cache).clamp(min=0)
    return torch.where(len > L_max, torch.zeros_like(reward), reward)
