def rl_memory(params, opts):
    matrices = 1 if params["tied"] else 2
    base = params["body"] + matrices * params["embedding"]
    lora = opts["lora"]
    weights = 2 * base + 2 * lora
    grads = 2 * (lora if lora else base)
    states = 12 if opts["optimizer"] == "mixed" else 4
    optimizer = states * (lora if lora else base)
    if opts["zero_stage"] == 1:
        optimizer /= opts["dp"]
    if opts["zero_stage"] == 2:
        grads /= opts["dp"]
    if opts["zero_stage"] == 3:
        weights /= opts["dp"]
    reference = 0
    if opts["beta"] > 0 and not lora:
        reference = 2 * base
    reward_model = 0
    if opts["reward"] == "model":
        reward_model = 2 * base
    kv_width = 2 if opts["kv_dtype"] == "bf16" else 1
    per_token = 2 * params["layers"] * params["kv_heads"] * params["head_dim"] * kv_width
    engine = kv_cache = 0
    if opts["engine"] == "colocated":
        body_width = 2 if opts["engine_dtype"] == "bf16" else 1
        engine = body_width * params["body"] + 2 * matrices * params["embedding"]
        kv_cache = per_token * opts["kv_tokens"]
    memory = {"weights": weights, "grads": grads, "optimizer": optimizer}
    memory |= {"reference": reference, "reward_model": reward_model, "engine": engine, "kv_cache": kv_cache}
    memory = {item: size / 1e9 for item, size in memory.items()}
    memory["total"] = sum(memory.values())
    memory["kv_bytes_per_token"] = float(per_token)
    return memory
