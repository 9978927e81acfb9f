# expect: wrong
# mistake: a GB is taken as 2 ** 30 bytes
GIB = 1 << 30


def pool_tokens(gpu_gb, util, weight_gb, overhead_gb, kv_per_tok, engine="vllm"):
    gpu, weights, overhead = gpu_gb * GIB, weight_gb * GIB, overhead_gb * GIB
    if engine == "sglang":
        pool = (gpu - overhead) * util - weights
    else:
        pool = gpu * util - weights - overhead
    if pool <= 0:
        return 0, 0
    tokens = int(pool / kv_per_tok)
    return tokens, tokens // 16
