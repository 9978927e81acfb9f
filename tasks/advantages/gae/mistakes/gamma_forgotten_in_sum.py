import torch


@torch.no_grad()
def gae(rewards, values, next_value, terminated, truncated, final_values, gamma, lam):
    following = torch.cat([values[1:], next_value[None]])
    boot = torch.where(truncated, final_values, following).masked_fill(terminated, 0.0)
    deltas = rewards + gamma * boot - values
    ended = terminated | truncated
    adv = torch.zeros_like(values)
    last = torch.zeros_like(next_value)
    for t in reversed(range(len(rewards))):
        last = deltas[t] + lam * last.masked_fill(ended[t], 0.0)
        adv[t] = last
    return adv, adv + values
