# expect: wrong
# mistake: with vllm the knob is applied to what is left after weights and overhead, not to the total memory
def pool_tokens(gpu_gb, util, weight_gb, overhead_gb, kv_per_tok, engine="vllm"):
    if engine == "vllm":
        pool = (gpu_gb - weight_gb - overhead_gb) * util
    else:
        pool = (gpu_gb - overhead_gb) * util - weight_gb
    tokens = int(max(pool, 0) * 1e9 / kv_per_tok)
    return tokens, tokens // 16
