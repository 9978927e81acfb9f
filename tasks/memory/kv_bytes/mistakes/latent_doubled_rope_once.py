def kv_bytes(L, n_kv, d_h, bytes, tokens, tp=1, mla=None):
    if mla is not None:
        d_c, d_rope = mla
        return L * (2 * d_c + d_rope) * bytes * tokens
    heads = max(1, n_kv // tp)
    return 2 * L * heads * d_h * bytes * tokens
