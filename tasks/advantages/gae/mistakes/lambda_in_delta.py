import torch


@torch.no_grad()
def gae(rewards, values, next_value, terminated, truncated, final_values, gamma, lam):
    T = rewards.shape[0]
    adv = torch.zeros_like(rewards)
    last = torch.zeros_like(next_value)
    for t in reversed(range(T)):
        v_next = next_value if t == T - 1 else values[t + 1]
        boot = torch.where(truncated[t], final_values[t], v_next)
        boot = torch.where(terminated[t], torch.zeros_like(boot), boot)
        delta = rewards[t] + gamma * lam * boot - values[t]
        last = delta + gamma * lam * torch.where((terminated[t] | truncated[t]), torch.zeros_like(last), last)
        adv[t] = last
    return adv, adv + values
