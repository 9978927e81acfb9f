import torch


@torch.no_grad()
def gae(rewards, values, next_value, terminated, truncated, final_values, gamma, lam):
    T = rewards.shape[0]
    done = terminated | truncated
    adv = torch.zeros_like(rewards)
    last = torch.zeros_like(next_value)
    for t in reversed(range(T)):
        if t == T - 1:
            v_next, ended, timed_out, final = next_value, done[t], truncated[t] & ~terminated[t], final_values[t]
        else:
            v_next, ended = values[t + 1], done[t + 1]
            timed_out, final = truncated[t + 1] & ~terminated[t + 1], final_values[t + 1]
        boot = torch.where(timed_out, final, v_next.masked_fill(ended, 0.0))
        delta = rewards[t] + gamma * boot - values[t]
        last = delta + gamma * lam * last.masked_fill(ended, 0.0)
        adv[t] = last
    return adv, adv + values
