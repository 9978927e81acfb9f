import torch


def masked_reduce(x, mask, mode, L_const=None):
    m = mask.float()
    x = x.float() * m
    if mode == "token":
        return x.sum() / m.sum()
    if mode == "seq":
        return (x.sum(dim=1) / m.sum(dim=1)).mean()
    if mode == "seq_sum":
        return x.sum(dim=1).mean()
    return x.sum() / (x.shape[0] * L_const)
