def masked_reduce(x, mask, mode, L_const=None):
    x = x.float().masked_fill(~mask, 0.0)
    if mode == "token":
        return x.sum() / mask.sum().clamp(min=1)
    rows = mask.any(1).sum().clamp(min=1)
    if mode == "seq":
        return (x.sum(1) / mask.sum(1).clamp(min=1)).sum() / rows
    if mode == "seq_sum":
        return x.sum()
    return x.sum() / (x.shape[0] * L_const)
