# expect: wrong
# mistake: The ends are read one row too late: step t looks at the flags of step t + 1.
import torch


@torch.no_grad()
def gae(
    rewards, values, next_value, terminated, truncated, final_values, gamma, lam
) -> tuple[torch.Tensor, torch.Tensor]:
    num_steps = rewards.shape[0]
    advantages = torch.zeros_like(values)
    last_gae = torch.zeros_like(values[0])
    for t in reversed(range(num_steps)):
        if t == num_steps - 1:
            next_done = torch.zeros_like(terminated[0])
            next_values = next_value
        else:
            next_done = terminated[t + 1] | truncated[t + 1]
            cut = truncated[t + 1] & ~terminated[t + 1]
            next_values = torch.where(cut, final_values[t + 1], values[t + 1])
            next_values = torch.where(terminated[t + 1], torch.zeros_like(next_values), next_values)
        delta = rewards[t] + gamma * next_values - values[t]
        last_gae = delta + gamma * lam * torch.where(next_done, torch.zeros_like(last_gae), last_gae)
        advantages[t] = last_gae
    return advantages, advantages + values
