import torch


def masked_whiten(x, mask, shift_mean=True, eps=1e-8, unbiased=True):
    count = mask.sum()
    low = torch.where(mask, x, torch.inf).amin()
    high = torch.where(mask, x, -torch.inf).amax()
    mean = torch.where(mask, x, 0.0).sum() / count.clamp(min=1)
    mean = torch.where(low == high, low, mean)
    distance = torch.where(mask, x - mean, 0.0)
    variance = distance.square().sum() / (count - 1 if unbiased else count).clamp(min=1)
    whitened = distance / torch.sqrt(variance + eps)
    return torch.where(mask, whitened if shift_mean else whitened + mean, 0.0)
