# expect: wrong
# mistake: The estimate is the mean over 512 randomly drawn sets of k samples instead of all sets.
import torch


def max_at_k(rewards, k, draws=512) -> torch.Tensor:
    b, n = rewards.shape
    if k == n:
        return rewards.amax(dim=1)
    if k == 1:
        return rewards.double().mean(dim=1).to(rewards.dtype)
    rng = torch.Generator().manual_seed(0)
    total = torch.zeros(b, dtype=torch.float64)
    for _ in range(draws):
        chosen = torch.randperm(n, generator=rng)[:k]
        total += rewards[:, chosen].amax(dim=1).double()
    return (total / draws).to(rewards.dtype)
