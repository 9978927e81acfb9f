import torch


@torch.no_grad()
def gae(rewards, values, next_value, terminated, truncated, final_values, gamma, lam):
    adv = torch.zeros_like(rewards)
    last = torch.zeros_like(next_value)
    v_next = next_value
    for t in reversed(range(len(rewards))):
        done = terminated[t] | truncated[t]
        # a time limit is no real end, so the value of the next state still counts
        delta = rewards[t] + gamma * v_next.masked_fill(terminated[t], 0.0) - values[t]
        last = delta + gamma * lam * last.masked_fill(done, 0.0)
        adv[t] = last
        v_next = values[t]
    return adv, adv + values
