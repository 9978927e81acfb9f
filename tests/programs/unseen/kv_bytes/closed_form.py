# expect: right
def kv_bytes(L, n_kv, d_h, bytes, tokens, tp=1, mla=None):
    """Return the bytes of KV cache that one rank holds for that many tokens."""
    if mla is not None:
        d_c, d_rope = mla
        numbers = d_c + d_rope
    else:
        numbers = 2 * max(n_kv // tp, 1) * d_h
    return L * tokens * numbers * bytes
