"""Training state belongs to trained parameters, and frozen copies cost only their weights."""

GB = 1e9
BYTES = {"bf16": 2, "fp8": 1}
# Master weights and two moments in fp32, or two moments in bf16.
OPTIMIZER_BYTES = {"mixed": 4 + 4 + 4, "bf16": 2 + 2}


def rl_memory(params, opts):
    """Return the memory of one GPU of an RL trainer by item, in GB of 1e9 bytes.

    Source: arXiv:1910.02054, section 3; arXiv:2106.09685, section 4.2.
    """
    embedding = params["embedding"] if params["tied"] else 2 * params["embedding"]
    base, adapters = params["body"] + embedding, opts["lora"]
    trained = adapters or base
    # Stage 1 shards the optimizer, stage 2 the gradients as well, and stage 3 the weights as well.
    ranks = {stage: opts["dp"] if opts["zero_stage"] >= stage else 1 for stage in (1, 2, 3)}
    is_colocated = opts["engine"] == "colocated"
    engine = params["body"] * BYTES[opts["engine_dtype"]] + 2 * embedding
    per_token = 2 * params["layers"] * params["kv_heads"] * params["head_dim"] * BYTES[opts["kv_dtype"]]
    memory = {
        "weights": 2 * (base + adapters) / ranks[3] / GB,
        "grads": 2 * trained / ranks[2] / GB,
        "optimizer": OPTIMIZER_BYTES[opts["optimizer"]] * trained / ranks[1] / GB,
        "reference": 2 * base / GB if opts["beta"] > 0 and not adapters else 0.0,
        "reward_model": 2 * base / GB if opts["reward"] == "model" else 0.0,
        "engine": engine / GB if is_colocated else 0.0,
        "kv_cache": per_token * opts["kv_tokens"] / GB if is_colocated else 0.0,
    }
    return {**memory, "total": sum(memory.values()), "kv_bytes_per_token": float(per_token)}
