import torch


def masked_reduce(x, mask, mode, L_const=None):
    x = x.float().masked_fill(~mask, 0.0)
    rows, counts = x.sum(dim=1), mask.sum(dim=1)
    filled = (counts > 0).sum().clamp(min=1)
    if mode == "token":
        return rows.sum() / counts.sum().clamp(min=1)
    if mode == "seq":
        return (rows / counts.clamp(min=1)).sum() / filled
    if mode == "seq_sum":
        return rows.sum() / filled
    return rows.sum() / counts.sum().clamp(min=1)
