def rl_memory(params, opts):
    """One row per item: parameters, bytes per parameter, whether it is here, what divides it."""
    embeddings = params["embedding"] + (0 if params["tied"] else params["embedding"])
    everything = params["body"] + embeddings
    trained = opts["lora"] or everything
    width = {"bf16": 2.0, "fp8": 1.0, "fp32": 4.0}
    adam = 3 * width["fp32"] if opts["optimizer"] == "mixed" else 2 * width["bf16"]
    here = opts["engine"] == "colocated"
    kv_values = 2 * params["layers"] * params["kv_heads"] * params["head_dim"]
    never = 4
    rows = [
        ("weights", everything + opts["lora"], width["bf16"], True, 3),
        ("grads", trained, width["bf16"], True, 2),
        ("optimizer", trained, adam, True, 1),
        ("reference", everything, width["bf16"], opts["beta"] != 0 and opts["lora"] == 0, never),
        ("reward_model", everything, width["bf16"], opts["reward"] != "rule", never),
        ("engine", params["body"], width[opts["engine_dtype"]], here, never),
        ("engine", embeddings, width["bf16"], here, never),
        ("kv_cache", kv_values * opts["kv_tokens"], width[opts["kv_dtype"]], here, never),
    ]
    memory = {}
    for item, count, per_value, is_here, stage in rows:
        share = 1 / opts["dp"] if opts["zero_stage"] >= stage else 1
        memory[item] = memory.get(item, 0.0) + (count * per_value * share / 1e9 if is_here else 0.0)
    total = sum(memory.values())
    memory["kv_bytes_per_token"] = kv_values * width[opts["kv_dtype"]]
    memory["total"] = total
    return memory
