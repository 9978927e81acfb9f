def kv_bytes(L, n_kv, d_h, bytes, tokens, tp=1, mla=None):
    total = 0
    for _layer in range(L):
        if mla:
            for part in mla:
                total += part * bytes
            continue
        local_heads = n_kv / tp
        local_heads = max(local_heads, 1)
        for _ in ("key", "value"):
            total += local_heads * d_h * bytes
    return total * tokens
