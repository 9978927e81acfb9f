# expect: wrong
# mistake: the stretch begins at L_max and ends L_cache tokens later, in place of ending at L_max
import torch


def overlong_reward(len, L_max, L_cache) -> torch.Tensor:
    over = (len - L_max).to(torch.float64)
    reward = torch.where(over <= 0, torch.zeros_like(over), -over / L_cache)
    reward = torch.where(len > L_max + L_cache, torch.full_like(reward, -1.0), reward)
    return reward.to(torch.float32)
