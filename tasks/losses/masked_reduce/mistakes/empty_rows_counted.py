def masked_reduce(x, mask, mode, L_const=None):
    x = x.float().masked_fill(~mask, 0.0)
    lengths = mask.sum(dim=1)
    if mode == "token":
        return x.sum() / lengths.sum().clamp(min=1)
    if mode == "seq":
        return (x.sum(dim=1) / lengths.clamp(min=1)).mean()
    if mode == "seq_sum":
        return x.sum() / (lengths > 0).sum().clamp(min=1)
    return x.sum() / (len(x) * L_const)
