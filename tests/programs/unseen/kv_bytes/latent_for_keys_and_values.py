# expect: wrong
# mistake: With MLA it counts the latent vector twice, once for keys and once for values.
def kv_bytes(L, n_kv, d_h, bytes, tokens, tp=1, mla=None):
    """Return the bytes of KV cache that one rank holds for that many tokens."""
    if mla is None:
        heads = n_kv // tp if n_kv > tp else 1
        per_layer = 2 * heads * d_h
    else:
        d_c, d_rope = mla
        per_layer = 2 * d_c + d_rope
    return per_layer * L * bytes * tokens
