import torch


def masked_whiten(x, mask, shift_mean=True, eps=1e-8, unbiased=True):
    out = torch.zeros_like(x)
    values = x[mask]
    if len(values) == 0:
        return out
    mean = values.mean()
    var = values.var(unbiased=unbiased)
    if len(values) > 1 and (values == values[0]).all():
        mean, var = values[0], torch.zeros_like(mean)
    white = (values - mean) / torch.sqrt(var + eps)
    out[mask] = white if shift_mean else white + mean
    return out
