import torch


@torch.no_grad()
def gae(rewards, values, next_value, terminated, truncated, final_values, gamma, lam):
    timed_out = truncated & ~terminated
    rewards[timed_out] += gamma * final_values[timed_out]
    done = terminated | truncated
    adv = torch.zeros_like(rewards)
    last = torch.zeros_like(next_value)
    v_next = next_value
    for t in reversed(range(len(rewards))):
        delta = rewards[t] + gamma * v_next.masked_fill(done[t], 0.0) - values[t]
        last = delta + gamma * lam * last.masked_fill(done[t], 0.0)
        adv[t] = last
        v_next = values[t]
    return adv, adv + values
