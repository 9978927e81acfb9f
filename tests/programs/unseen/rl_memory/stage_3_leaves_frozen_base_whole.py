# expect: wrong
# mistake: With LoRA and ZeRO stage 3 only the adapters are divided by dp, while every rank is charged for the whole frozen base model.
def rl_memory(params, opts):
    emb_total = params["embedding"] * (2 - int(params["tied"]))
    base = params["body"] + emb_total
    lora = opts["lora"]
    stage = opts["zero_stage"]
    dp = opts["dp"]

    if lora > 0:
        frozen, trained = base, lora
    else:
        frozen, trained = 0, base

    opt_bytes = {"mixed": 12, "bf16": 4}[opts["optimizer"]]
    weights = 2 * frozen + 2 * trained / (dp if stage == 3 else 1)
    grads = 2 * trained / (dp if stage in (2, 3) else 1)
    optim = opt_bytes * trained / (dp if stage in (1, 2, 3) else 1)

    reference = 2 * base if (opts["beta"] > 0 and lora == 0) else 0
    reward_model = 2 * base if opts["reward"] == "model" else 0

    elem = 1 if opts["kv_dtype"] == "fp8" else 2
    kv_per_token = 2 * params["layers"] * params["kv_heads"] * params["head_dim"] * elem
    if opts["engine"] == "colocated":
        engine = 2 * emb_total + params["body"] * (1 if opts["engine_dtype"] == "fp8" else 2)
        kv_cache = kv_per_token * opts["kv_tokens"]
    else:
        engine, kv_cache = 0, 0

    total = weights + grads + optim + reference + reward_model + engine + kv_cache
    return {
        "weights": weights / 1e9,
        "grads": grads / 1e9,
        "optimizer": optim / 1e9,
        "reference": reference / 1e9,
        "reward_model": reward_model / 1e9,
        "engine": engine / 1e9,
        "kv_cache": kv_cache / 1e9,
        "total": total / 1e9,
        "kv_bytes_per_token": kv_per_token,
    }
