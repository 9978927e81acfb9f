# expect: wrong
# mistake: Step 3 normalizes the sums within each group instead of over the whole batch.
import torch


def _whiten(x, constant, eps):
    """Normalize along the last dimension; rows flagged as constant become zeros."""
    n = x.shape[-1]
    centered = x - x.mean(dim=-1, keepdim=True)
    variance = centered.pow(2).sum(dim=-1, keepdim=True) / max(n - 1, 1)
    return torch.where(constant, 0.0, centered / (variance.sqrt() + eps))


def gdpo_advantage(rewards, weights, eps=1e-4) -> torch.Tensor:
    constant = (rewards == rewards[..., :1]).all(dim=-1, keepdim=True)
    normalized = _whiten(rewards, constant, eps)
    sums = (weights.view(-1, 1, 1) * normalized).sum(dim=0)
    return _whiten(sums, (sums == 0).all(dim=-1, keepdim=True), eps)
