import torch
from torch.nn import functional


def overlong_reward(len, L_max, L_cache):
    return functional.hardtanh((L_max - L_cache - len).to(torch.float32) / L_cache, -1.0, 0.0)
