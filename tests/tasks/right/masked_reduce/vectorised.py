import torch


def masked_reduce(x, mask, mode, L_const=None):
    lengths = mask.sum(dim=1, keepdim=True)
    divisors = {
        "token": lengths.sum(),
        "seq": lengths * lengths.gt(0).sum(),
        "seq_sum": lengths.gt(0).sum(),
        "dr": torch.tensor(float(x.shape[0] * (L_const or 1)), device=x.device),
    }
    weights = mask / divisors[mode].clamp(min=1)
    clean = x.float().masked_fill(~mask, 0.0)
    return (clean * weights).sum()
