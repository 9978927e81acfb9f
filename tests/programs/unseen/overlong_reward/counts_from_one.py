# expect: wrong
# mistake: the tokens inside the stretch are counted one too many, so the line falls to -1 one token before L_max
import torch


def overlong_reward(len, L_max, L_cache) -> torch.Tensor:
    first_punished = L_max - L_cache
    used = (len - first_punished + 1).clamp(max=L_cache)
    reward = -used.double() / L_cache
    reward = torch.where(len > first_punished, reward, torch.zeros_like(reward))
    return reward.float()
