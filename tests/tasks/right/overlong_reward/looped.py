import torch


def overlong_reward(len, L_max, L_cache):
    rewards = []
    for count in len.tolist():
        if count <= L_max - L_cache:
            rewards.append(0.0)
        elif count <= L_max:
            rewards.append((L_max - L_cache - count) / L_cache)
        else:
            rewards.append(-1.0)
    return torch.tensor(rewards, device=len.device)
