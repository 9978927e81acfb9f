# expect: right
import torch


def overlong_reward(len, L_max, L_cache) -> torch.Tensor:
    start = L_max - L_cache
    return ((start - len).double() / L_cache).clamp(-1.0, 0.0).float()
