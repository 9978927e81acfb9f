# expect: wrong
# mistake: inside the stretch the excess is divided by L_max and not by L_cache
# mistake: the result is float64 and not float32
import torch


def overlong_reward(len, L_max, L_cache) -> torch.Tensor:
    excess = (len - (L_max - L_cache)).to(torch.float64).clamp(min=0)
    inside = -excess / L_max
    return torch.where(len > L_max, torch.full_like(inside, -1.0), inside)
