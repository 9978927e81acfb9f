# expect: wrong
# mistake: With MLA it divides latent and rotary key over the tensor-parallel ranks.
def kv_bytes(L, n_kv, d_h, bytes, tokens, tp=1, mla=None):
    """Return the bytes of KV cache that one rank holds for that many tokens."""
    total = L * tokens * bytes
    if mla is None:
        total *= 2 * d_h * n_kv
        shards = min(tp, n_kv)
    else:
        total *= sum(mla)
        shards = tp
    return total / shards
