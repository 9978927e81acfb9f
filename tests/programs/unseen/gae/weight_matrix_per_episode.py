# expect: right
import torch


def gae(
    rewards, values, next_value, terminated, truncated, final_values, gamma, lam
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (adv, targets), both [T, B], without gradient."""
    values = values.detach()
    steps = values.shape[0]
    ends = terminated | truncated
    successor = torch.cat([values[1:], next_value.detach().to(values.dtype)[None]])
    successor = torch.where(truncated, final_values.detach().to(values.dtype), successor)
    successor = successor.masked_fill(terminated, 0.0)
    residual = rewards.detach().to(values.dtype) + gamma * successor - values

    # Number the episodes of each column; an end belongs to the episode that it closes.
    episode = ends.long().cumsum(0) - ends.long()
    when = torch.arange(steps, device=values.device)
    gap = when[None, :] - when[:, None]
    power = torch.where(gap >= 0, (gamma * lam) ** gap.clamp(min=0).to(values.dtype), 0.0)
    same = episode[:, None, :] == episode[None, :, :]
    weights = power[:, :, None].to(values.dtype) * same
    adv = torch.einsum("tsb,sb->tb", weights, residual)
    return adv, adv + values
