# expect: wrong
# mistake: With more ranks than heads a rank gets 0 heads, as the quotient is only rounded down.
# mistake: With MLA the rotary key is not counted.
def kv_bytes(L, n_kv, d_h, bytes, tokens, tp=1, mla=None):
    """Return the bytes of KV cache that one rank holds for that many tokens."""
    if mla is not None:
        d_c, _ = mla
        return L * d_c * bytes * tokens
    heads_per_rank = n_kv // tp
    return 2 * L * heads_per_rank * d_h * bytes * tokens
