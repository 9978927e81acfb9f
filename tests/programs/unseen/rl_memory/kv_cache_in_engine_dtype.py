# expect: wrong
# mistake: The bytes of a cached value follow engine_dtype instead of kv_dtype.
def dtype_bytes(name):
    return {"bf16": 2, "fp8": 1, "fp32": 4}[name]


def engine_memory(params, opts, emb):
    width = dtype_bytes(opts["engine_dtype"])
    per_token = 2 * params["layers"] * params["kv_heads"] * params["head_dim"] * width
    if opts["engine"] != "colocated":
        return 0, 0, per_token
    return params["body"] * width + 2 * emb, per_token * opts["kv_tokens"], per_token


def rl_memory(params, opts):
    emb = params["embedding"] + (0 if params["tied"] else params["embedding"])
    base = params["body"] + emb
    trainable = opts["lora"] if opts["lora"] > 0 else base

    divisor = [1, 1, 1]
    for i in range(3):
        if opts["zero_stage"] > i:
            divisor[i] = opts["dp"]

    per_param = 12 if opts["optimizer"] == "mixed" else 4
    engine, cache, per_token = engine_memory(params, opts, emb)
    items = {
        "weights": 2 * (base + opts["lora"]) / divisor[2],
        "grads": 2 * trainable / divisor[1],
        "optimizer": per_param * trainable / divisor[0],
        "reference": 0 if opts["beta"] <= 0 or opts["lora"] > 0 else 2 * base,
        "reward_model": 2 * base if opts["reward"] == "model" else 0,
        "engine": engine,
        "kv_cache": cache,
    }
    result = {name: nbytes / 1e9 for name, nbytes in items.items()}
    result["total"] = sum(items.values()) / 1e9
    result["kv_bytes_per_token"] = per_token
    return result
