import torch


def masked_reduce(x, mask, mode, L_const=None):
    sums, lengths = [], []
    for row, keep in zip(x.float(), mask):
        n = int(keep.sum())
        sums.append(row[:n].sum())
        lengths.append(n)
    sums = torch.stack(sums)
    lengths = torch.tensor(lengths, device=x.device)
    rows = (lengths > 0).sum().clamp(min=1)
    if mode == "token":
        return sums.sum() / lengths.sum().clamp(min=1)
    if mode == "seq":
        return (sums / lengths.clamp(min=1)).sum() / rows
    if mode == "seq_sum":
        return sums.sum() / rows
    return sums.sum() / (len(x) * L_const)
