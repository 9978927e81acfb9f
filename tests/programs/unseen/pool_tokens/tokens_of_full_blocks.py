# expect: wrong
# mistake: the tokens are rounded down to full blocks
def pool_tokens(gpu_gb, util, weight_gb, overhead_gb, kv_per_tok, engine="vllm"):
    block_bytes = 16 * kv_per_tok
    if engine == "vllm":
        pool_gb = util * gpu_gb - (weight_gb + overhead_gb)
    elif engine == "sglang":
        pool_gb = util * (gpu_gb - overhead_gb) - weight_gb
    else:
        raise ValueError(engine)
    blocks = int(max(0.0, pool_gb * 1e9) // block_bytes)
    return blocks * 16, blocks
