# expect: wrong
# mistake: With more ranks than heads it gives each rank a fraction of a head instead of a full one.
def kv_bytes(L, n_kv, d_h, bytes, tokens, tp=1, mla=None):
    """Return the bytes of KV cache that one rank holds for that many tokens."""
    if mla is not None:
        return L * (mla[0] + mla[1]) * bytes * tokens
    keys_and_values = 2
    whole_model = keys_and_values * L * n_kv * d_h * bytes * tokens
    return whole_model / tp
