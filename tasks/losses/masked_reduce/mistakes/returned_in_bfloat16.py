import torch


def masked_reduce(x, mask, mode, L_const=None):
    dtype = x.dtype
    x = x.float().masked_fill(~mask, 0.0)
    rows, counts = x.sum(dim=1), mask.sum(dim=1)
    filled = (counts > 0).sum().clamp(min=1)
    if mode == "token":
        return (rows.sum() / counts.sum().clamp(min=1)).to(dtype)
    if mode == "seq":
        return ((rows / counts.clamp(min=1)).sum() / filled).to(dtype)
    if mode == "seq_sum":
        return (rows.sum() / filled).to(dtype)
    return (rows.sum() / (x.shape[0] * L_const)).to(dtype)
