import torch


def max_at_k(rewards, k):
    n = rewards.shape[1]
    ordered = torch.sort(rewards.double(), dim=1).values[:, k - 1 :]
    weight = 1.0
    for taken in range(k):
        weight *= (k - taken) / (n - taken)
    weights = [weight]
    for rank in range(k, n):
        weights.append(weights[-1] * rank / (rank - k + 1))
    scale = torch.tensor(weights, dtype=torch.float64, device=rewards.device)
    return (ordered * scale).sum(1).to(rewards.dtype)
