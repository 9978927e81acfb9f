import torch


def gae(rewards, values, next_value, terminated, truncated, final_values, gamma, lam):
    following = torch.cat([values[1:], next_value[None]])
    boot = torch.where(truncated, final_values, following).masked_fill(terminated, 0.0)
    deltas = rewards + gamma * boot - values
    cut = terminated | truncated
    steps = []
    last = torch.zeros_like(next_value)
    for t in reversed(range(len(rewards))):
        last = deltas[t] + gamma * lam * last.masked_fill(cut[t], 0.0)
        steps.append(last)
    adv = torch.stack(steps[::-1])
    return adv, adv + values
