# expect: right
GB = 10**9
WIDTH = {"bf16": 2, "fp8": 1}


def rl_memory(params, opts):
    emb = params["embedding"] * (1 if params["tied"] else 2)
    base = params["body"] + emb
    lora, stage, dp = opts["lora"], opts["zero_stage"], opts["dp"]
    trained = lora if lora > 0 else base

    weights = 2 * (base + lora) / (dp if stage >= 3 else 1)
    grads = 2 * trained / (dp if stage >= 2 else 1)
    optim = (12 if opts["optimizer"] == "mixed" else 4) * trained / (dp if stage >= 1 else 1)

    here = opts["engine"] == "colocated"
    per_token = 2 * params["layers"] * params["kv_heads"] * params["head_dim"] * WIDTH[opts["kv_dtype"]]
    memory = {
        "weights": weights / GB,
        "grads": grads / GB,
        "optimizer": optim / GB,
        "reference": 2 * base / GB if opts["beta"] > 0 and lora == 0 else 0.0,
        "reward_model": 2 * base / GB if opts["reward"] == "model" else 0.0,
        "engine": (WIDTH[opts["engine_dtype"]] * params["body"] + 2 * emb) / GB if here else 0.0,
        "kv_cache": per_token * opts["kv_tokens"] / GB if here else 0.0,
    }
    memory["total"] = sum(memory.values())
    memory["kv_bytes_per_token"] = per_token
    return memory
