import math


def pool_tokens(gpu_gb, util, weight_gb, overhead_gb, kv_per_tok, engine="vllm"):
    free = gpu_gb
    if engine == "sglang":
        free -= overhead_gb
    budget = util * free - weight_gb
    if engine == "vllm":
        budget -= overhead_gb
    if budget <= 0:
        return 0, 0
    tokens = math.ceil(budget * 1e9 / kv_per_tok)
    return tokens, math.floor(tokens / 16)
