import torch


def compute_advantages(rollout, last_values, gamma, lam):
    """Return the advantages and the value targets of every step, [T, N] each."""
    rewards, values = rollout["rewards"], rollout["values"]
    steps = len(rewards)
    advantages = torch.zeros_like(rewards)
    running = torch.zeros_like(last_values)
    for t in reversed(range(steps)):
        terminated, truncated = rollout["terminated"][t], rollout["truncated"][t]
        following = last_values if t == steps - 1 else values[t + 1]
        following = torch.where(truncated, rollout["final_values"][t], following)
        following = torch.where(terminated, 0.0, following)
        delta = rewards[t] + gamma * following - values[t]
        late = min(t + 1, steps - 1)
        is_cut = rollout["terminated"][late] | rollout["truncated"][late]
        running = delta + gamma * lam * torch.where(is_cut, 0.0, running)
        advantages[t] = running
    return advantages, advantages + values
