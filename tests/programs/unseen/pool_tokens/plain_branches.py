# expect: right
import math

GB = 10**9
BLOCK = 16


def pool_tokens(gpu_gb, util, weight_gb, overhead_gb, kv_per_tok, engine="vllm"):
    if engine == "vllm":
        pool_gb = gpu_gb * util - weight_gb - overhead_gb
    else:
        pool_gb = (gpu_gb - overhead_gb) * util - weight_gb
    tokens = max(0, math.floor(pool_gb * GB / kv_per_tok))
    return tokens, tokens // BLOCK
