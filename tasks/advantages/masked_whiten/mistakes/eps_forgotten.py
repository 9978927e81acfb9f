import torch


def masked_whiten(x, mask, shift_mean=True, eps=1e-8, unbiased=True):
    whitened = torch.zeros_like(x)
    values = x[mask]
    if len(values) == 0:
        return whitened
    mean = values.mean()
    distances = values - mean
    if (values == values[0]).all():
        distances, mean = torch.zeros_like(values), values[0]
    variance = distances.square().sum() / max(len(values) - int(unbiased), 1)
    scaled = torch.where(distances == 0, 0.0, distances / variance.sqrt())
    whitened[mask] = scaled if shift_mean else scaled + mean
    return whitened
