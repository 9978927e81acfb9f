# expect: wrong
# mistake: With LoRA and beta above 0 a full copy of the base model is counted as the reference, although the actor without its adapters serves as one.
def rl_memory(params, opts):
    n_embed = params["embedding"] if params["tied"] else 2 * params["embedding"]
    n_base = params["body"] + n_embed
    n_lora = opts["lora"]
    n_train = n_lora or n_base
    dp = opts["dp"]

    w = 2 * (n_base + n_lora)
    g = 2 * n_train
    o = n_train * (3 * 4 if opts["optimizer"] == "mixed" else 2 * 2)
    if opts["zero_stage"] >= 1:
        o /= dp
    if opts["zero_stage"] >= 2:
        g /= dp
    if opts["zero_stage"] >= 3:
        w /= dp

    ref = 2 * n_base if opts["beta"] > 0 else 0
    rm = 2 * n_base if opts["reward"] == "model" else 0

    kv_bytes = 2 if opts["kv_dtype"] == "bf16" else 1
    per_token = 2 * params["layers"] * params["kv_heads"] * params["head_dim"] * kv_bytes
    engine = kv = 0
    if opts["engine"] == "colocated":
        body_bytes = 2 if opts["engine_dtype"] == "bf16" else 1
        engine = params["body"] * body_bytes + n_embed * 2
        kv = per_token * opts["kv_tokens"]

    names = ("weights", "grads", "optimizer", "reference", "reward_model", "engine", "kv_cache")
    memory = {k: v / 1e9 for k, v in zip(names, (w, g, o, ref, rm, engine, kv))}
    memory["total"] = sum(memory.values())
    memory["kv_bytes_per_token"] = per_token
    return memory
