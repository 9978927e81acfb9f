# expect: wrong
# mistake: The k samples are drawn with replacement: the i-th smallest reward gets the weight (i/N)^k - ((i-1)/N)^k.
import torch


def max_at_k(rewards, k) -> torch.Tensor:
    n = rewards.shape[1]
    ordered, _ = torch.sort(rewards.double(), dim=1)
    cdf = (torch.arange(n + 1, dtype=torch.float64) / n) ** k
    weights = cdf.diff()
    return (ordered @ weights).to(rewards.dtype)
