# expect: wrong
# mistake: eps is added to the deviation, outside the square root, instead of to the variance.
# mistake: The variance is always divided by n, whatever unbiased says.
import torch


@torch.no_grad()
def masked_whiten(x, mask, shift_mean=True, eps=1e-8, unbiased=True) -> torch.Tensor:
    """Return the whitened values, [B, T], 0 at masked positions."""
    kept = torch.where(mask, x, 0.0).double()
    n = mask.sum().clamp(min=1)
    mean = kept.sum() / n
    centered = torch.where(mask, kept - mean, 0.0)
    std = torch.sqrt((centered**2).sum() / n)
    whitened = centered / (std + eps)
    if not shift_mean:
        whitened = torch.where(mask, whitened + mean, 0.0)
    return whitened.float()
