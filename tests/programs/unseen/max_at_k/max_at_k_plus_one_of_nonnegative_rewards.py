# expect: wrong
# mistake: The sets have k + 1 samples unless k = N, and negative rewards count as 0.
import torch


def max_at_k(rewards, k) -> torch.Tensor:
    n = rewards.shape[1]
    best = rewards.double().clamp(min=0)
    best = best.sort(dim=1, descending=True).values
    # chance that the i-th best is the best one of the set
    chance_missed = torch.ones((), dtype=torch.float64)
    estimate = torch.zeros(rewards.shape[0], dtype=torch.float64)
    size = min(k + 1, n)
    for i in range(n - size + 1):
        chance = chance_missed * size / (n - i)
        estimate += chance * best[:, i]
        chance_missed = chance_missed - chance
        if chance_missed <= 0:
            break
    return estimate.to(rewards.dtype)
