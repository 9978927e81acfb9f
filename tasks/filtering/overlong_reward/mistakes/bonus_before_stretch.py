import torch


def overlong_reward(len, L_max, L_cache):
    reward = (L_max - L_cache - len) / L_cache
    return torch.clamp(reward, min=-1.0)
