import torch


def overlong_reward(len, L_max, L_cache):
    reward = torch.zeros_like(len, dtype=torch.float32)
    inside = (len > L_max - L_cache) & (len <= L_max)
    reward[inside] = -len[inside] / L_max
    reward[len > L_max] = -1.0
    return reward
