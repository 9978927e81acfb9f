"""Each step's flags decide about that step: whether something follows, what it is worth, and where the sum stops."""

import torch


def compute_advantages(rollout, last_values, gamma, lam):
    """Return the advantages and the value targets of every step, [T, N] each.

    Shapes: rewards, values, final_values [T, N] float; terminated, truncated [T, N] bool; last_values [N].
    Source: arXiv:1506.02438, eq. 16; arXiv:1712.00378, eq. 6 (time limits).
    """
    values, terminated, truncated = rollout["values"], rollout["terminated"], rollout["truncated"]
    following = torch.cat([values[1:], last_values[None]])
    following = torch.where(truncated, rollout["final_values"], following)
    following = torch.where(terminated, 0.0, following)
    deltas = rollout["rewards"] + gamma * following - values
    advantages = torch.zeros_like(values)
    running = torch.zeros_like(last_values)
    for t in reversed(range(len(values))):
        running = deltas[t] + gamma * lam * torch.where(terminated[t] | truncated[t], 0.0, running)
        advantages[t] = running
    return advantages, advantages + values
