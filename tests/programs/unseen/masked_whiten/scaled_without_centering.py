# expect: wrong
# mistake: If shift_mean is false the values themselves are divided by the deviation, instead of their distance from the mean, with the mean added again.
import torch


@torch.no_grad()
def masked_whiten(x, mask, shift_mean=True, eps=1e-8, unbiased=True) -> torch.Tensor:
    """Return the whitened values, [B, T], 0 at masked positions."""
    n = int(mask.sum())
    out = torch.zeros_like(x)
    if n == 0:
        return out
    values = x[mask].double()
    mean = values.sum() / n
    centered = values - mean
    var = (centered * centered).sum() / (n - 1 if unbiased and n > 1 else n)
    scale = (var + eps).rsqrt()
    numerator = centered if shift_mean else values
    out[mask] = (numerator * scale).float()
    return out
