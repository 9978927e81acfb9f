# expect: right
import torch


@torch.no_grad()
def masked_whiten(x, mask, shift_mean=True, eps=1e-8, unbiased=True) -> torch.Tensor:
    """Return the whitened values, [B, T], 0 at masked positions."""
    out = torch.zeros(x.shape, dtype=x.dtype, device=x.device)
    values = x[mask].double()
    n = values.numel()
    if n == 0:
        return out
    if values.min() == values.max():
        mean = values[0]
        distance = torch.zeros_like(values)
    else:
        mean = values.mean()
        distance = values - mean
    divisor = max(n - 1, 1) if unbiased else n
    variance = distance.square().sum() / divisor
    whitened = distance / torch.sqrt(variance + eps)
    if not shift_mean:
        whitened = whitened + mean
    out[mask] = whitened.to(x.dtype)
    return out
