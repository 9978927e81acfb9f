"""Mean and variance are computed over the unmasked values of the whole batch, not per row."""

import torch


def masked_whiten(x, mask, shift_mean=True, eps=1e-8, unbiased=True):
    """Return the unmasked values in place, scaled to deviation 1 and shifted to mean 0 or back to their own mean.

    Shapes: x, mask and the result [B, T].
    Source: arXiv:2006.05990 (advantage normalization).
    """
    whitened = torch.zeros_like(x)
    values = x[mask]
    if len(values) == 0:
        return whitened
    distances, mean = values - values.mean(), values.mean()
    if (values == values[0]).all():  # rounding can make their mean differ, and the small eps would magnify that
        distances, mean = torch.zeros_like(values), values[0]
    variance = distances.square().sum() / max(len(values) - int(unbiased), 1)
    scaled = distances / (variance + eps).sqrt()
    whitened[mask] = scaled if shift_mean else scaled + mean
    return whitened
