def grpo_memory_estimate(
    n_params, bytes_per_param, roles, zero_stage=0, dp=1, offload=(), kv_pool_gb=0.0, colocate_phases=True
):
    billions = n_params / 1e9
    rollout = {"rollout": 0.0, "kv_pool": 0.0}
    train = {"weights": 0.0, "grads": 0.0, "optimizer": 0.0, "ref": 0.0, "rm": 0.0}
    for role in roles:
        if role == "rollout":
            rollout["rollout"] = billions * bytes_per_param["rollout"]
            rollout["kv_pool"] = float(kv_pool_gb)
        elif role == "actor":
            train["weights"] = billions * bytes_per_param["train"]
            train["grads"] = billions * bytes_per_param["grad"]
            for key in ("master", "m", "v"):
                train["optimizer"] += billions * bytes_per_param[key]
        else:
            train[role] = billions * bytes_per_param[role]
    for stage, item in ((1, "optimizer"), (2, "grads"), (3, "weights")):
        if stage <= zero_stage:
            train[item] /= dp
    for item in offload:
        train[item] = 0.0
    first, second = sum(rollout.values()), sum(train.values())
    peak = max(first, second) if colocate_phases else first + second
    return {"phases": {"rollout": rollout, "train": train}, "peak_gb": peak}
