"""Mean and variance belong to the batch, not to a row, and see unmasked values only."""

import torch


def masked_whiten(x, mask, shift_mean=True, eps=1e-8, unbiased=True):
    """Return the unmasked values with deviation 1, and with mean 0 or their own, in the place where they stood.

    Shapes: x, mask and the result [B, T].
    Source: arXiv:2006.05990 (advantage normalisation).
    """
    whitened = torch.zeros_like(x)
    values = x[mask]
    if len(values) == 0:
        return whitened
    distances, mean = values - values.mean(), values.mean()
    if (values == values[0]).all():  # a float mean of equal numbers misses them, and eps would blow that up
        distances, mean = torch.zeros_like(values), values[0]
    variance = distances.square().sum() / max(len(values) - int(unbiased), 1)
    scaled = distances / (variance + eps).sqrt()
    whitened[mask] = scaled if shift_mean else scaled + mean
    return whitened
