import torch


def max_at_k(rewards, k):
    """The j-th smallest is the largest of a set if the other k - 1 are among the j - 1 before it."""
    ordered = rewards.detach().double().sort(dim=1).values
    count = rewards.shape[1]
    j = torch.arange(1, count + 1, dtype=torch.float64, device=rewards.device)

    def log_choose(n, m):
        return torch.lgamma(n + 1) - torch.lgamma(m + 1) - torch.lgamma(n - m + 1)

    chosen = torch.full_like(j, k - 1)
    usable = j >= k
    safe = torch.where(usable, j - 1, chosen)
    total = log_choose(torch.full_like(j, count), torch.full_like(j, k))
    weight = torch.where(usable, (log_choose(safe, chosen) - total).exp(), 0.0)
    return (ordered @ weight).to(rewards.dtype)
