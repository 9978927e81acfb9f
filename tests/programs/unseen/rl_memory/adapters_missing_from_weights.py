# expect: wrong
# mistake: The adapter parameters of LoRA are not added to the actor's weights, which are those of the base model alone.
def rl_memory(params, opts):
    G = 1e9
    heads = 1 if params["tied"] else 2
    embeddings = heads * params["embedding"]
    model_params = params["body"] + embeddings
    full_ft = opts["lora"] == 0
    trainable = model_params if full_ft else opts["lora"]

    def sharded(stage):
        return opts["dp"] if opts["zero_stage"] >= stage else 1

    bf16_model = 2 * model_params / G
    mem = {
        "weights": bf16_model / sharded(3),
        "grads": 2 * trainable / G / sharded(2),
        "optimizer": (4 + 4 + 4 if opts["optimizer"] == "mixed" else 2 + 2) * trainable / G / sharded(1),
        "reference": bf16_model if full_ft and opts["beta"] > 0 else 0,
        "reward_model": bf16_model if opts["reward"] == "model" else 0,
        "engine": 0,
        "kv_cache": 0,
    }
    kv_elems = 2 * params["layers"] * params["kv_heads"] * params["head_dim"]
    kv_bpt = kv_elems * (2 if opts["kv_dtype"] == "bf16" else 1)
    if opts["engine"] == "colocated":
        body = params["body"] * (2 if opts["engine_dtype"] == "bf16" else 1)
        mem["engine"] = (body + 2 * embeddings) / G
        mem["kv_cache"] = kv_bpt * opts["kv_tokens"] / G
    mem["total"] = sum(mem.values())
    mem["kv_bytes_per_token"] = kv_bpt
    return mem
