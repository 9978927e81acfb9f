# expect: right
import torch


@torch.no_grad()
def gae(
    rewards, values, next_value, terminated, truncated, final_values, gamma, lam
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (adv, targets), both [T, B], without gradient."""
    steps = rewards.shape[0]
    adv = torch.zeros_like(values)
    zero = torch.zeros_like(values[0])
    carried = zero
    later = next_value
    for t in reversed(range(steps)):
        future = torch.where(truncated[t], final_values[t], later)
        future = torch.where(terminated[t], zero, future)
        carried = torch.where(terminated[t] | truncated[t], zero, carried)
        delta = rewards[t] + gamma * future - values[t]
        carried = (delta + gamma * lam * carried).to(values.dtype)
        adv[t] = carried
        later = values[t]
    return adv, adv + values
