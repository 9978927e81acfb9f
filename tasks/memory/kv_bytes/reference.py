"""Each rank caches whole key-value heads, at least one; a latent cache has no heads, so every rank stores all of it."""


def kv_bytes(L, n_kv, d_h, bytes, tokens, tp=1, mla=None):
    """Return the bytes of KV cache that one rank holds for this number of tokens.

    Source: arXiv:2305.13245; latent attention: arXiv:2405.04434, section 2.1.
    """
    if mla is not None:
        latent, rope = mla
        numbers = latent + rope
    else:
        numbers = 2 * d_h * max(1, n_kv // tp)
    return float(L * numbers * bytes * tokens)
