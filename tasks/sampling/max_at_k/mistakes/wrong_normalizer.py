import torch


def max_at_k(rewards, k):
    n = rewards.shape[1]
    ordered = torch.sort(rewards.double(), dim=1).values
    rank = torch.arange(1, n + 1, dtype=torch.float64, device=rewards.device)
    rank = rank[k - 1 :]
    log_weights = torch.lgamma(rank) - torch.lgamma(rank - k + 1)
    weights = torch.softmax(log_weights, 0) / torch.lgamma(torch.tensor(k + 1.0, dtype=torch.float64, device=rewards.device)).exp()
    return (ordered[:, k - 1 :] * weights).sum(1).to(rewards.dtype)
