def masked_reduce(x, mask, mode, L_const=None):
    x = x.float().masked_fill(~mask, 0.0)
    counts = mask.sum(1)
    rows = (counts > 0).sum().clamp(min=1)
    means = x.sum(1) / counts.clamp(min=1)
    if mode in ("token", "seq"):
        return means.sum() / rows
    if mode == "seq_sum":
        return x.sum() / rows
    return x.sum() / (len(x) * L_const)
