# expect: wrong
# mistake: An fp8 engine stores every parameter in fp8, also the embedding matrices that should stay in bf16.
SIZE = {"fp32": 4, "bf16": 2, "fp8": 1}


def _count(params):
    copies = 1 if params["tied"] else 2
    return params["body"] + copies * params["embedding"]


def _shard(nbytes, opts, from_stage):
    return nbytes / opts["dp"] if opts["zero_stage"] >= from_stage else nbytes


def rl_memory(params, opts):
    n = _count(params)
    adapters = opts["lora"]
    trainable = adapters if adapters else n
    if opts["optimizer"] == "mixed":
        state = 3 * SIZE["fp32"]
    else:
        state = 2 * SIZE["bf16"]

    out = {}
    out["weights"] = _shard(SIZE["bf16"] * (n + adapters), opts, 3) / 1e9
    out["grads"] = _shard(SIZE["bf16"] * trainable, opts, 2) / 1e9
    out["optimizer"] = _shard(state * trainable, opts, 1) / 1e9
    needs_ref = opts["beta"] > 0 and not adapters
    out["reference"] = SIZE["bf16"] * n / 1e9 if needs_ref else 0.0
    out["reward_model"] = SIZE["bf16"] * n / 1e9 if opts["reward"] == "model" else 0.0

    token_bytes = 2 * params["layers"] * params["kv_heads"] * params["head_dim"] * SIZE[opts["kv_dtype"]]
    local = opts["engine"] == "colocated"
    out["engine"] = SIZE[opts["engine_dtype"]] * n / 1e9 if local else 0.0
    out["kv_cache"] = token_bytes * opts["kv_tokens"] / 1e9 if local else 0.0
    out["total"] = sum(out.values())
    out["kv_bytes_per_token"] = token_bytes
    return out
