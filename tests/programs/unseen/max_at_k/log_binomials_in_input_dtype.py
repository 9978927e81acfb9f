# expect: wrong
# mistake: The log-binomials are computed in the dtype of the rewards, so in float32 the weights lose most of their digits for a large N.
import torch


def log_comb(n, k):
    return torch.lgamma(n + 1) - torch.lgamma(k + 1) - torch.lgamma(n - k + 1)


def max_at_k(rewards, k) -> torch.Tensor:
    n = rewards.shape[1]
    dtype = rewards.dtype
    top = rewards.sort(dim=1).values[:, k - 1 :]
    below = torch.arange(k - 1, n, dtype=dtype)
    log_weights = log_comb(below, torch.tensor(k - 1, dtype=dtype))
    log_weights = log_weights - log_comb(torch.tensor(n, dtype=dtype), torch.tensor(k, dtype=dtype))
    return (top * log_weights.exp()).sum(dim=1)
