GB = 10**9


def pool_tokens(gpu_gb, util, weight_gb, overhead_gb, kv_per_tok, engine="vllm"):
    if engine == "vllm":
        pool = gpu_gb * util - weight_gb - overhead_gb
    else:
        pool = (gpu_gb - overhead_gb - weight_gb) * util
    tokens = max(0, int(pool * GB // kv_per_tok))
    return tokens, tokens // 16
