import torch


def overlong_reward(len, L_max, L_cache):
    return -torch.clamp(len / L_max, max=1.0)
