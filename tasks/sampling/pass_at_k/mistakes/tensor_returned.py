import torch


def pass_at_k(n, c, k):
    if n - c < k:
        return torch.tensor(1.0, dtype=torch.float64)
    counts = torch.arange(n - c + 1, n + 1, dtype=torch.float64)
    return 1.0 - torch.prod(1.0 - k / counts)
