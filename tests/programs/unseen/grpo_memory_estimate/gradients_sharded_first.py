# expect: wrong
# mistake: It has the order of ZeRO's stages wrong: stage 1 divides the gradients and only stage 2 the optimizer state as well.
def grpo_memory_estimate(
    n_params, bytes_per_param, roles, zero_stage=0, dp=1, offload=(), kv_pool_gb=0.0, colocate_phases=True
):
    """Return {"phases": {"rollout": {...}, "train": {...}}, "peak_gb": ...}, all numbers in GB of 1e9 bytes."""
    unit = n_params / 1e9
    shard = {
        "grads": dp if zero_stage in (1, 2, 3) else 1,
        "optimizer": dp if zero_stage in (2, 3) else 1,
        "weights": dp if zero_stage == 3 else 1,
    }
    train = dict.fromkeys(("weights", "grads", "optimizer", "ref", "rm"), 0.0)
    if "actor" in roles:
        train["weights"] = unit * bytes_per_param["train"] / shard["weights"]
        train["grads"] = unit * bytes_per_param["grad"] / shard["grads"]
        if "optimizer" not in offload:
            state = bytes_per_param["master"] + bytes_per_param["m"] + bytes_per_param["v"]
            train["optimizer"] = unit * state / shard["optimizer"]
    for name in ("ref", "rm"):
        if name in roles and name not in offload:
            train[name] = unit * bytes_per_param[name]
    rollout = {"rollout": 0.0, "kv_pool": 0.0}
    if "rollout" in roles:
        rollout = {"rollout": unit * bytes_per_param["rollout"], "kv_pool": float(kv_pool_gb)}
    totals = sum(rollout.values()), sum(train.values())
    return {"phases": {"rollout": rollout, "train": train}, "peak_gb": max(totals) if colocate_phases else sum(totals)}
