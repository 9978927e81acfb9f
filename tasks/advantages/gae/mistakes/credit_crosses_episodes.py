import torch


@torch.no_grad()
def gae(rewards, values, next_value, terminated, truncated, final_values, gamma, lam):
    next_values = torch.cat([values[1:], next_value.unsqueeze(0)])
    next_values = torch.where(truncated, final_values, next_values).masked_fill(terminated, 0.0)
    deltas = rewards + gamma * next_values - values
    adv = torch.zeros_like(deltas)
    running = torch.zeros_like(next_value)
    for t in reversed(range(len(deltas))):
        running = deltas[t] + gamma * lam * running
        adv[t] = running
    return adv, adv + values
