import torch


def max_at_k(rewards, k):
    n = rewards.shape[1]
    ordered = torch.sort(rewards, dim=1).values[:, k - 1 :]
    rank = torch.arange(k, n + 1, dtype=torch.float32, device=rewards.device)
    log_binomial = torch.lgamma(rank) - torch.lgamma(rank - k + 1) - torch.lgamma(rank.new_tensor(k))
    top = rank[-1] + 1
    log_sets = torch.lgamma(top) - torch.lgamma(top - k) - torch.lgamma(rank.new_tensor(k + 1))
    weights = (log_binomial - log_sets).exp()
    return (ordered * weights).sum(1).to(rewards.dtype)
