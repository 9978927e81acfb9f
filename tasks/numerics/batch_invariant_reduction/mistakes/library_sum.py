def batch_invariant_reduction(x, w, block):
    terms = x.float().unsqueeze(2) * w.float().unsqueeze(0)
    parts = [piece.sum(dim=1) for piece in terms.split(block, dim=1)]
    out = parts[0]
    for part in parts[1:]:
        out = out + part
    return out
