# expect: wrong
# mistake: For equal values the distance is taken from the mean as float32 computes it, which may miss their value, so it is not exactly 0.
import torch


@torch.no_grad()
def masked_whiten(x, mask, shift_mean=True, eps=1e-8, unbiased=True) -> torch.Tensor:
    """Return the whitened values, [B, T], 0 at masked positions."""
    count = mask.sum()
    if count == 0:
        return torch.zeros_like(x)
    clean = torch.where(mask, x, torch.zeros_like(x))
    mean = clean.sum() / count
    distance = torch.where(mask, clean - mean, torch.zeros_like(x))
    degrees = count - 1 if unbiased and count > 1 else count
    variance = distance.square().sum() / degrees
    whitened = distance / (variance + eps).sqrt()
    return whitened if shift_mean else torch.where(mask, whitened + mean, torch.zeros_like(x))
