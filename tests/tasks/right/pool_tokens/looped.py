def pool_tokens(gpu_gb, util, weight_gb, overhead_gb, kv_per_tok, engine="vllm"):
    if engine == "vllm":
        left = gpu_gb * 10**9 * util
        left -= overhead_gb * 10**9
    else:
        left = (gpu_gb * 10**9 - overhead_gb * 10**9) * util
    left -= weight_gb * 10**9
    blocks = 0
    step = 16 * kv_per_tok
    while left >= step:
        left -= step
        blocks += 1
    tokens = 16 * blocks
    while left >= kv_per_tok:
        left -= kv_per_tok
        tokens += 1
    return tokens, blocks
