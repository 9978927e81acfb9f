# expect: wrong
# mistake: A single unmasked value has an unbiased variance of 0/0, so the result is NaN instead of distance 0.
import torch


@torch.no_grad()
def masked_whiten(x, mask, shift_mean=True, eps=1e-8, unbiased=True) -> torch.Tensor:
    """Return the whitened values, [B, T], 0 at masked positions."""
    result = torch.zeros_like(x)
    if not mask.any():
        return result
    values = x[mask].double()
    variance, mean = torch.var_mean(values, unbiased=unbiased)
    whitened = (values - mean) * torch.rsqrt(variance + eps)
    if not shift_mean:
        whitened += mean
    result[mask] = whitened.to(result.dtype)
    return result
