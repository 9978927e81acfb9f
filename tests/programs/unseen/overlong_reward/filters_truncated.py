# expect: wrong
# mistake: answers longer than L_max get 0 in place of -1
import torch


def overlong_reward(len, L_max, L_cache) -> torch.Tensor:
    reward = torch.zeros(len.shape, dtype=torch.float32, device=len.device)
    in_stretch = (len > L_max - L_cache) & (len <= L_max)
    reward[in_stretch] = ((L_max - L_cache) - len[in_stretch]).float() / L_cache
    return reward
