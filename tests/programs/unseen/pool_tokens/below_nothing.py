# expect: wrong
# mistake: a pool below zero gives a negative number of tokens in place of 0
def pool_tokens(gpu_gb, util, weight_gb, overhead_gb, kv_per_tok, engine="vllm"):
    if engine == "vllm":
        left = gpu_gb * util - weight_gb - overhead_gb
    else:
        left = (gpu_gb - overhead_gb) * util - weight_gb
    tokens = int(left * 1e9 // kv_per_tok)
    blocks = tokens // 16
    return tokens, blocks
