def masked_reduce(x, mask, mode, L_const=None):
    m = mask.float()
    total = (x.float() * m).sum()
    if mode == "token":
        return total / m.sum().clamp(min=1)
    if mode == "dr":
        return total / (x.size(0) * L_const)
    lengths = m.sum(-1)
    rows = (lengths > 0).sum().clamp(min=1)
    per_row = (x.float() * m).sum(-1)
    if mode == "seq":
        per_row = per_row / lengths.clamp(min=1)
    return per_row.sum() / rows
