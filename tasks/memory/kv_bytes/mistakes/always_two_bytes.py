def kv_bytes(L, n_kv, d_h, bytes, tokens, tp=1, mla=None):
    if mla:
        per_token_layer = (mla[0] + mla[1]) * 2
    else:
        kv_heads_here = n_kv / tp if n_kv >= tp else 1
        key = kv_heads_here * d_h * 2
        value = kv_heads_here * d_h * 2
        per_token_layer = key + value
    per_token = per_token_layer * L
    return per_token * tokens
