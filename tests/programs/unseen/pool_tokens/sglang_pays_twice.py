# expect: wrong
# mistake: with sglang the overhead is subtracted a second time from the share
def pool_tokens(gpu_gb, util, weight_gb, overhead_gb, kv_per_tok, engine="vllm"):
    base = gpu_gb if engine == "vllm" else gpu_gb - overhead_gb
    budget = base * util
    pool_bytes = (budget - weight_gb - overhead_gb) * 1e9
    tokens = max(int(pool_bytes // kv_per_tok), 0)
    return tokens, tokens // 16
