def kv_bytes(L, n_kv, d_h, bytes, tokens, tp=1, mla=None):
    if mla is not None:
        d_c, d_rope = mla
        return L * (d_c + d_rope) * bytes * tokens
    heads = n_kv // tp if n_kv >= tp else n_kv
    return 2 * L * heads * d_h * bytes * tokens
