# expect: wrong
# mistake: with sglang the knob is a share of the memory that is free after the weights are loaded
# mistake: the blocks are rounded up
import math


def pool_tokens(gpu_gb, util, weight_gb, overhead_gb, kv_per_tok, engine="vllm"):
    if engine == "vllm":
        pool = gpu_gb * util - weight_gb - overhead_gb
    else:
        pool = (gpu_gb - overhead_gb - weight_gb) * util
    tokens = max(0, math.floor(pool * 1e9 / kv_per_tok))
    return tokens, math.ceil(tokens / 16)
