import torch


def masked_reduce(x, mask, mode, L_const=None):
    x = x.float().masked_fill(~mask, 0.0)
    T = x.shape[1]
    places = torch.arange(1, T + 1, device=x.device)
    lengths = (mask * places).amax(dim=1)
    if mode == "token":
        return x.sum() / lengths.sum().clamp(min=1)
    rows = (lengths > 0).sum().clamp(min=1)
    if mode == "seq":
        return (x.sum(dim=1) / lengths.clamp(min=1)).sum() / rows
    if mode == "seq_sum":
        return x.sum() / rows
    return x.sum() / (x.shape[0] * L_const)
