import torch


@torch.no_grad()
def gae(rewards, values, next_value, terminated, truncated, final_values, gamma, lam):
    following = torch.cat([values[1:], next_value[None]])
    boot = torch.where(truncated, final_values, following).masked_fill(terminated, 0.0)
    deltas = rewards + gamma * boot - values
    steps, columns = rewards.shape
    ended = terminated | truncated
    adv = torch.zeros_like(values)
    powers = (gamma * lam) ** torch.arange(steps, dtype=values.dtype, device=values.device)
    for column in range(columns):
        start = 0
        for stop in [*(ended[:, column].nonzero()[:, 0] + 1).tolist(), steps]:
            weighted = deltas[start:stop, column] * powers[: stop - start]
            later = weighted.flip(0).cumsum(0).flip(0)
            adv[start:stop, column] = later / powers[: stop - start]
            start = stop
    return adv, adv + values
