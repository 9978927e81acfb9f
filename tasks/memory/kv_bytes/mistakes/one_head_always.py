def kv_bytes(L, n_kv, d_h, bytes, tokens, tp=1, mla=None):
    if mla is not None:
        d_c, d_rope = mla
        return L * (d_c + d_rope) * bytes * tokens
    heads = 1
    return 2 * L * heads * d_h * bytes * tokens
