def grpo_memory_estimate(
    n_params, bytes_per_param, roles, zero_stage=0, dp=1, offload=(), kv_pool_gb=0.0, colocate_phases=True
):
    def copy_gb(key, shards=1):
        return n_params * bytes_per_param[key] / shards / 1e9

    generation = {"rollout": 0.0, "kv_pool": 0.0}
    if "rollout" in roles:
        generation = {"rollout": copy_gb("rollout"), "kv_pool": kv_pool_gb}
    train = {"weights": 0.0, "grads": 0.0, "optimizer": 0.0, "ref": 0.0, "rm": 0.0}
    if "actor" in roles:
        train["weights"] = copy_gb("train", dp if zero_stage >= 3 else 1)
        train["grads"] = copy_gb("grad", dp if zero_stage >= 2 else 1)
        for key in ("master", "m", "v"):
            train["optimizer"] += copy_gb(key, dp if zero_stage >= 1 else 1)
    for frozen in ("ref", "rm"):
        if frozen in roles and frozen not in offload:
            train[frozen] = copy_gb(frozen)
    if "optimizer" in offload:
        train["optimizer"] = 0.0
    generating, training = sum(generation.values()), sum(train.values())
    peak = max(generating, training) if not colocate_phases else generating + training
    return {"phases": {"rollout": generation, "train": train}, "peak_gb": peak}
