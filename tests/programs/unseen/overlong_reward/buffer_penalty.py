# expect: wrong
# mistake: the line goes on falling below -1 for answers longer than L_max
import torch


def overlong_reward(len, L_max, L_cache) -> torch.Tensor:
    expected_len = L_max - L_cache
    exceed_len = (len - expected_len).to(torch.float32)
    penalty_factor = 1.0
    penalty = -exceed_len / L_cache * penalty_factor
    return torch.minimum(penalty, torch.zeros_like(penalty))
