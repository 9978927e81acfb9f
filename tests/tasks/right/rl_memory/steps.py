def actor(n, opts):
    lora, stage, dp = opts["lora"], opts["zero_stage"], opts["dp"]
    if lora == 0:
        weights, grads = 2 * n, 2 * n
        optimizer = 12 * n if opts["optimizer"] == "mixed" else 4 * n
    else:
        weights, grads = 2 * n + 2 * lora, 2 * lora
        optimizer = 12 * lora if opts["optimizer"] == "mixed" else 4 * lora
    if stage == 3:
        return weights / dp, grads / dp, optimizer / dp
    if stage == 2:
        return weights, grads / dp, optimizer / dp
    if stage == 1:
        return weights, grads, optimizer / dp
    return weights, grads, optimizer


def rl_memory(params, opts):
    matrices = params["embedding"]
    if not params["tied"]:
        matrices *= 2
    n = params["body"] + matrices
    weights, grads, optimizer = actor(n, opts)

    reference = 2 * n
    if opts["beta"] == 0 or opts["lora"] > 0:
        reference = 0
    reward_model = {"model": 2 * n, "rule": 0}[opts["reward"]]

    one_token = 0
    for _ in range(params["layers"]):
        keys = params["kv_heads"] * params["head_dim"]
        one_token += keys + keys
    if opts["kv_dtype"] == "bf16":
        one_token *= 2

    engine, kv_cache = 2 * n, one_token * opts["kv_tokens"]
    if opts["engine_dtype"] == "fp8":
        engine -= params["body"]
    if opts["engine"] == "separate":
        engine, kv_cache = 0, 0

    result = {
        "weights": weights / 1e9,
        "grads": grads / 1e9,
        "optimizer": optimizer / 1e9,
        "reference": reference / 1e9,
        "reward_model": reward_model / 1e9,
        "engine": engine / 1e9,
        "kv_cache": kv_cache / 1e9,
    }
    result["total"] = sum(result.values())
    result["kv_bytes_per_token"] = one_token
    return result
