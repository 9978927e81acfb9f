import torch


def overlong_reward(len, L_max, L_cache):
    excess = torch.relu((len - (L_max - L_cache)).float())
    return -excess / L_cache
