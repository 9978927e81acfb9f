def pool_tokens(gpu_gb, util, weight_gb, overhead_gb, kv_per_tok, engine="vllm"):
    """Return (tokens, blocks of 16 tokens) that fit into the engine's KV pool, two ints."""
    raise NotImplementedError
