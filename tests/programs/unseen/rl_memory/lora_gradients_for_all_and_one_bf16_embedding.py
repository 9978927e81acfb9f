# expect: wrong
# mistake: With LoRA the gradients cover base model plus adapters instead of the adapters alone, and an untied fp8 engine keeps only the input embedding in bf16 and stores the output head in fp8.
def rl_memory(params, opts):
    body, emb = params["body"], params["embedding"]
    n = body + emb if params["tied"] else body + 2 * emb
    lora = opts["lora"]
    actor = n + lora
    trainable = lora if lora else n

    weights = actor * 2
    grads = actor * 2
    optimizer = trainable * (12 if opts["optimizer"] == "mixed" else 4)
    zero = opts["zero_stage"]
    if zero > 0:
        optimizer = optimizer / opts["dp"]
    if zero > 1:
        grads = grads / opts["dp"]
    if zero > 2:
        weights = weights / opts["dp"]

    reference = n * 2 if opts["beta"] > 0 and not lora else 0
    reward = n * 2 if opts["reward"] == "model" else 0
    kv_tok = params["layers"] * params["kv_heads"] * params["head_dim"] * 2
    kv_tok *= {"bf16": 2, "fp8": 1}[opts["kv_dtype"]]

    engine = kv = 0
    if opts["engine"] == "colocated":
        if opts["engine_dtype"] == "fp8":
            engine = (n - emb) + emb * 2
        else:
            engine = n * 2
        kv = kv_tok * opts["kv_tokens"]

    items = [weights, grads, optimizer, reference, reward, engine, kv]
    keys = ["weights", "grads", "optimizer", "reference", "reward_model", "engine", "kv_cache"]
    memory = {k: v / 1e9 for k, v in zip(keys, items)}
    memory["total"] = sum(items) / 1e9
    memory["kv_bytes_per_token"] = kv_tok
    return memory
