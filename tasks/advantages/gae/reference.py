"""The recursion stops at every end; the value after a termination is 0, after a truncation the given final value."""

import torch


@torch.no_grad()
def gae(rewards, values, next_value, terminated, truncated, final_values, gamma, lam):
    """Return the advantages and the value targets, without gradient.

    Shapes: rewards, values, terminated, truncated, final_values [T, B]; next_value [B]; both results [T, B].
    Source: arXiv:1506.02438, eq. 16.
    """
    following = torch.cat([values[1:], next_value[None]])
    bootstrap = torch.where(truncated, final_values, following)
    bootstrap = torch.where(terminated, 0.0, bootstrap)
    deltas = rewards + gamma * bootstrap - values
    is_end = terminated | truncated

    adv = torch.empty_like(values)
    carried = torch.zeros_like(next_value)
    for t in range(len(rewards) - 1, -1, -1):
        carried = deltas[t] + torch.where(is_end[t], 0.0, gamma * lam * carried)
        adv[t] = carried
    return adv, adv + values
