# expect: wrong
# mistake: With ZeRO stage 3 it divides the reference and the reward model over the ranks too.
def grpo_memory_estimate(
    n_params, bytes_per_param, roles, zero_stage=0, dp=1, offload=(), kv_pool_gb=0.0, colocate_phases=True
):
    """Return {"phases": {"rollout": {...}, "train": {...}}, "peak_gb": ...}, all numbers in GB of 1e9 bytes."""
    billions = n_params / 1e9
    optimizer_ranks = dp if zero_stage >= 1 else 1
    gradient_ranks = dp if zero_stage >= 2 else 1
    weight_ranks = dp if zero_stage >= 3 else 1

    train = {
        "weights": billions * bytes_per_param["train"] / weight_ranks,
        "grads": billions * bytes_per_param["grad"] / gradient_ranks,
        "optimizer": billions * sum(bytes_per_param[k] for k in ("master", "m", "v")) / optimizer_ranks,
        "ref": billions * bytes_per_param["ref"] / weight_ranks,
        "rm": billions * bytes_per_param["rm"] / weight_ranks,
    }
    owner = {"weights": "actor", "grads": "actor", "optimizer": "actor", "ref": "ref", "rm": "rm"}
    for item in train:
        if owner[item] not in roles or item in offload:
            train[item] = 0.0
    rollout = {"rollout": billions * bytes_per_param["rollout"], "kv_pool": float(kv_pool_gb)}
    if "rollout" not in roles:
        rollout = {item: 0.0 for item in rollout}
    sizes = [sum(phase.values()) for phase in (rollout, train)]
    peak = max(sizes) if colocate_phases else sum(sizes)
    return {"phases": {"rollout": rollout, "train": train}, "peak_gb": peak}
