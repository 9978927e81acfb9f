"""`util` is a fraction of total memory in vLLM, and of the memory that is free before loading in SGLang."""

BLOCK_TOKENS = 16


def pool_tokens(gpu_gb, util, weight_gb, overhead_gb, kv_per_tok, engine="vllm"):
    """Return how many tokens and how many blocks of 16 tokens the KV pool holds.

    Units: gpu_gb, weight_gb, overhead_gb in 1e9 bytes; kv_per_tok in bytes.
    Source: the engines' documentation of gpu_memory_utilization and mem_fraction_static.
    """
    if engine == "sglang":
        pool_gb = util * (gpu_gb - overhead_gb) - weight_gb
    else:
        pool_gb = util * gpu_gb - weight_gb - overhead_gb
    tokens = max(0, int(pool_gb * 1e9 / kv_per_tok))
    return tokens, tokens // BLOCK_TOKENS
