# expect: right
import torch


def max_at_k(rewards, k):
    n = rewards.shape[1]
    weights = [0.0] * n
    weight = k / n
    for rank in range(n, k - 1, -1):
        weights[rank - 1] = weight
        weight *= (rank - k) / max(rank - 1, 1)
    ordered = rewards.double().sort(dim=1).values
    return (ordered * torch.tensor(weights, dtype=torch.float64)).sum(dim=1).to(rewards.dtype)
