# expect: right
GB = 1e9


def grpo_memory_estimate(
    n_params, bytes_per_param, roles, zero_stage=0, dp=1, offload=(), kv_pool_gb=0.0, colocate_phases=True
):
    def copy(*keys):
        return n_params * sum(bytes_per_param[k] for k in keys) / GB

    train = dict.fromkeys(("weights", "grads", "optimizer", "ref", "rm"), 0.0)
    rollout = {"rollout": 0.0, "kv_pool": 0.0}

    if "actor" in roles:
        for item, keys, first_stage in (
            ("weights", ("train",), 3),
            ("grads", ("grad",), 2),
            ("optimizer", ("master", "m", "v"), 1),
        ):
            train[item] = copy(*keys) / (dp if zero_stage >= first_stage else 1)
        if "optimizer" in offload:
            train["optimizer"] = 0.0
    for frozen in ("ref", "rm"):
        if frozen in roles and frozen not in offload:
            train[frozen] = copy(frozen)
    if "rollout" in roles:
        rollout["rollout"] = copy("rollout")
        rollout["kv_pool"] = float(kv_pool_gb)

    sums = [sum(rollout.values()), sum(train.values())]
    peak = max(sums) if colocate_phases else sum(sums)
    return {"phases": {"rollout": rollout, "train": train}, "peak_gb": peak}
