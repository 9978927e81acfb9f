def kv_bytes(L, n_kv, d_h, bytes, tokens, tp=1, mla=None):
    heads = max(1, n_kv // tp)
    return 2 * L * heads * d_h * bytes * tokens
