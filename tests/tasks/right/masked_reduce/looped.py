def masked_reduce(x, mask, mode, L_const=None):
    total = x.float()[:0].sum()
    tokens = rows = 0
    for b in range(x.shape[0]):
        row_total, row_tokens = x.float()[:0].sum(), 0
        for t in range(x.shape[1]):
            if mask[b, t]:
                row_total = row_total + x[b, t].float()
                row_tokens += 1
        if row_tokens:
            rows += 1
            tokens += row_tokens
            total = total + (row_total / row_tokens if mode == "seq" else row_total)
    if mode == "dr":
        return total / (x.shape[0] * L_const)
    count = tokens if mode == "token" else rows
    return total / max(count, 1)
