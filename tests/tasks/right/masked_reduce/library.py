import torch


def masked_reduce(x, mask, mode, L_const=None):
    picked = torch.masked_select(x.float(), mask)
    row_of = mask.nonzero()[:, 0]
    if mode == "dr":
        return picked.sum() / L_const / x.shape[0]
    if picked.numel() == 0:
        return picked.sum()
    if mode == "token":
        return picked.mean()
    rows, places = row_of.unique(return_inverse=True)
    empty = picked.new_zeros(len(rows))
    how = "mean" if mode == "seq" else "sum"
    return torch.scatter_reduce(empty, 0, places, picked, how, include_self=False).mean()
