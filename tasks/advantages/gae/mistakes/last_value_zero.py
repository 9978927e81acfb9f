import torch


@torch.no_grad()
def gae(rewards, values, next_value, terminated, truncated, final_values, gamma, lam):
    adv = torch.zeros_like(rewards)
    last = torch.zeros_like(rewards[0])
    v_next = torch.zeros_like(rewards[0])
    for t in reversed(range(len(rewards))):
        boot = torch.where(truncated[t], final_values[t], v_next)
        boot = torch.where(terminated[t], torch.zeros_like(boot), boot)
        delta = rewards[t] + gamma * boot - values[t]
        last = delta + gamma * lam * last.masked_fill(terminated[t] | truncated[t], 0.0)
        adv[t] = last
        v_next = values[t]
    return adv, adv + values
