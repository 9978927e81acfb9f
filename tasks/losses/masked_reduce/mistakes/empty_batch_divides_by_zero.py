import torch


def masked_reduce(x, mask, mode, L_const=None):
    x = torch.where(mask, x.float(), 0.0)
    total, n = x.sum(), mask.sum()
    if mode == "token":
        return total / n
    rows = mask.any(dim=1)
    if mode == "seq":
        return (x[rows].sum(dim=1) / mask[rows].sum(dim=1)).mean()
    if mode == "seq_sum":
        return total / rows.sum()
    return total / (x.shape[0] * L_const)
