import torch


def overlong_reward(len, L_max, L_cache):
    excess = (len - (L_max - L_cache)).clamp(0, L_cache)
    return -(excess // L_cache).to(torch.float32)
