import torch


def masked_whiten(x, mask, shift_mean=True, eps=1e-8, unbiased=True):
    values = torch.masked_select(x, mask)
    if values.numel() == 0:
        return torch.zeros_like(x)
    if values.unique().numel() == 1:
        variance, mean = torch.zeros_like(values[0]), values[0].clone()
    else:
        variance, mean = torch.var_mean(values, correction=int(unbiased))
    result = torch.sub(values, mean).div((variance + eps).sqrt())
    if not shift_mean:
        result = result.add(mean)
    return torch.zeros_like(x).masked_scatter(mask, result)
