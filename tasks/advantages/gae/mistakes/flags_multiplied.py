import torch


@torch.no_grad()
def gae(rewards, values, next_value, terminated, truncated, final_values, gamma, lam):
    term, trunc = terminated.to(values.dtype), truncated.to(values.dtype)
    adv = torch.zeros_like(rewards)
    last = torch.zeros_like(next_value)
    v_next = next_value
    for t in reversed(range(len(rewards))):
        boot = (1 - term[t]) * (trunc[t] * final_values[t] + (1 - trunc[t]) * v_next)
        delta = rewards[t] + gamma * boot - values[t]
        last = delta + gamma * lam * (1 - term[t]) * (1 - trunc[t]) * last
        adv[t] = last
        v_next = values[t]
    return adv, adv + values
