import torch


def max_at_k(rewards, k):
    n = rewards.shape[1]
    wrong = (rewards <= 0).sum(1).double()
    taken = torch.arange(k, dtype=torch.float64, device=rewards.device)
    none = ((wrong[:, None] - taken).clamp(min=0) / (n - taken)).prod(1)
    return (1 - none).to(rewards.dtype)
