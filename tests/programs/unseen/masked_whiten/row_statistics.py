# expect: wrong
# mistake: Mean and variance are taken for each row on its own instead of once over the whole batch.
import torch


@torch.no_grad()
def masked_whiten(x, mask, shift_mean=True, eps=1e-8, unbiased=True) -> torch.Tensor:
    """Return the whitened values, [B, T], 0 at masked positions."""
    wide = torch.where(mask, x, 0.0).double()
    n = mask.sum(dim=-1, keepdim=True)
    mean = wide.sum(dim=-1, keepdim=True) / n.clamp(min=1)
    distance = torch.where(mask, wide - mean, 0.0)
    denominator = (n - 1 if unbiased else n).clamp(min=1)
    variance = distance.pow(2).sum(dim=-1, keepdim=True) / denominator
    whitened = distance * torch.rsqrt(variance + eps)
    if not shift_mean:
        whitened = torch.where(mask, whitened + mean, 0.0)
    return whitened.to(x.dtype)
