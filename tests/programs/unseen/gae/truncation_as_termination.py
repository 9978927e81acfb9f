# expect: wrong
# mistake: A truncated step is treated as a terminated one: its future is worth 0 and final_values is not used.
import torch


def gae(
    rewards, values, next_value, terminated, truncated, final_values, gamma, lam
) -> tuple[torch.Tensor, torch.Tensor]:
    values = values.detach()
    next_value = next_value.detach()
    done = terminated | truncated
    T = rewards.size(0)
    advantages = torch.zeros_like(values)
    last = torch.zeros_like(next_value)
    for t in range(T - 1, -1, -1):
        v_next = values[t + 1] if t + 1 < T else next_value
        v_next = v_next.masked_fill(done[t], 0.0)
        delta = rewards[t] + gamma * v_next - values[t]
        last = delta + gamma * lam * last.masked_fill(done[t], 0.0)
        advantages[t] = last
    return advantages, advantages + values
