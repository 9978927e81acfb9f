import torch


def masked_whiten(x, mask, shift_mean=True, eps=1e-8, unbiased=True):
    values = x[mask]
    if len(values) == 0:
        return torch.zeros_like(x)
    mean = values.mean()
    dist = values - mean
    if (values == values[0]).all():
        mean, dist = values[0], torch.zeros_like(values)
    var = dist.square().sum() / max(len(values) - int(unbiased), 1)
    x[mask] = dist / torch.sqrt(var + eps) + (0.0 if shift_mean else mean)
    return x.masked_fill(~mask, 0.0)
