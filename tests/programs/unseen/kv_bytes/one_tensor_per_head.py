# expect: wrong
# mistake: It counts one vector per head instead of a key and a value, so the result without MLA is half of what it should be.
def kv_bytes(L, n_kv, d_h, bytes, tokens, tp=1, mla=None):
    """Return the bytes of KV cache that one rank holds for that many tokens."""
    if mla:
        latent, rope = mla
        width = latent + rope
    else:
        local_heads = -(-n_kv // tp)
        width = local_heads * d_h
    bytes_per_token = L * width * bytes
    return bytes_per_token * tokens
