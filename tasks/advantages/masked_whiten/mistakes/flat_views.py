import torch


def masked_whiten(x, mask, shift_mean=True, eps=1e-8, unbiased=True):
    flat, keep = x.view(-1), mask.view(-1)
    out = torch.zeros_like(flat)
    values = flat[keep]
    if len(values) == 0:
        return out.view(x.shape)
    mean = values.mean()
    dist = values - mean
    if (values == values[0]).all():
        mean, dist = values[0], torch.zeros_like(values)
    var = dist.square().sum() / max(len(values) - int(unbiased), 1)
    out[keep] = dist / torch.sqrt(var + eps) + (0.0 if shift_mean else mean)
    return out.view(x.shape)
