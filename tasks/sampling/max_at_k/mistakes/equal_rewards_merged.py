import torch


def max_at_k(rewards, k):
    estimates = []
    for row in rewards.double():
        values = row.unique()
        n, size = len(values), min(k, len(values))
        rank = torch.arange(size, n + 1, dtype=torch.float64, device=rewards.device)
        weights = torch.softmax(torch.lgamma(rank) - torch.lgamma(rank - size + 1), 0)
        estimates.append((values[size - 1 :] * weights).sum())
    return torch.stack(estimates).to(rewards.dtype)
