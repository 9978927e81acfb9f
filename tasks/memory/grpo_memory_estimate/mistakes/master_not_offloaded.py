def grpo_memory_estimate(
    n_params, bytes_per_param, roles, zero_stage=0, dp=1, offload=(), kv_pool_gb=0.0, colocate_phases=True
):
    """Return {"phases": {"rollout": {...}, "train": {...}}, "peak_gb": ...}, all numbers in GB of 1e9 bytes."""
    gb = {key: n_params * size / 1e9 for key, size in bytes_per_param.items()}
    actor = float("actor" in roles)
    engine = "rollout" in roles

    moments = 0.0 if "optimizer" in offload else gb["m"] + gb["v"]
    optimizer = actor * (gb["master"] + moments)
    grads = actor * gb["grad"]
    weights = actor * gb["train"]
    if zero_stage:
        optimizer = optimizer / dp
    if zero_stage in (2, 3):
        grads = grads / dp
    if zero_stage == 3:
        weights = weights / dp

    def frozen(name):
        return gb[name] if name in roles and name not in offload else 0.0

    train = {"weights": weights, "grads": grads, "optimizer": optimizer, "ref": frozen("ref"), "rm": frozen("rm")}
    rollout = {"rollout": gb["rollout"] if engine else 0.0, "kv_pool": float(kv_pool_gb) if engine else 0.0}
    if colocate_phases:
        peak = max(sum(train.values()), sum(rollout.values()))
    else:
        peak = sum(train.values()) + sum(rollout.values())
    return {"phases": {"rollout": rollout, "train": train}, "peak_gb": peak}
