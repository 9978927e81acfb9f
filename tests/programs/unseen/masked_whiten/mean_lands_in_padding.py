# expect: wrong
# mistake: If shift_mean is false the mean is added at masked positions too, so they come out as the mean instead of 0.
import torch


@torch.no_grad()
def masked_whiten(x, mask, shift_mean=True, eps=1e-8, unbiased=True) -> torch.Tensor:
    """Return the whitened values, [B, T], 0 at masked positions."""
    values = x.masked_select(mask).to(torch.float64)
    if values.numel() == 0:
        return torch.zeros_like(x)
    mean = values.mean()
    correction = 1 if unbiased and values.numel() > 1 else 0
    std = torch.sqrt(values.var(correction=correction) + eps)
    distance = (x.to(torch.float64) - mean).masked_fill(~mask, 0.0)
    whitened = distance / std
    if not shift_mean:
        whitened = whitened + mean
    return whitened.to(torch.float32)
