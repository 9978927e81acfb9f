import torch


def pass_at_k(n, c, k):
    draws = torch.arange(k, dtype=torch.float64)
    still_wrong = (n - c - draws).clamp(min=0) / (n - draws)
    return 1 - float(torch.prod(still_wrong))
