# expect: wrong
# mistake: the lengths that the caller gave are changed in place
import torch


def overlong_reward(len, L_max, L_cache) -> torch.Tensor:
    len -= L_max - L_cache
    over = len.clamp(min=0, max=L_cache)
    return -(over.to(torch.float64) / L_cache).to(torch.float32)
