# expect: wrong
# mistake: It uses the MLA formula only if n_kv is 0, so a model with an mla pair and given heads is counted as ordinary attention.
def kv_bytes(L, n_kv, d_h, bytes, tokens, tp=1, mla=None):
    """Return the bytes of KV cache that one rank holds for that many tokens."""
    if n_kv:
        elements = 2 * d_h * max(1, n_kv // tp)
    else:
        d_c, d_rope = mla
        elements = d_c + d_rope
    return L * elements * tokens * bytes
