import torch


def max_at_k(rewards, k):
    prompts = rewards.shape[0]
    ordered = torch.sort(rewards.double().reshape(-1)).values
    rank = torch.arange(k, len(ordered) + 1, dtype=torch.float64, device=rewards.device)
    weights = torch.softmax(torch.lgamma(rank) - torch.lgamma(rank - k + 1), 0)
    return (ordered[k - 1 :] * weights).sum().expand(prompts).to(rewards.dtype)
