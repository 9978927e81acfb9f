# expect: wrong
# mistake: Bytes are divided by 2^30 instead of by 10^9.
BYTES_PER_GB = 1024**3


def grpo_memory_estimate(
    n_params, bytes_per_param, roles, zero_stage=0, dp=1, offload=(), kv_pool_gb=0.0, colocate_phases=True
):
    to_gb = lambda nbytes: nbytes / BYTES_PER_GB  # noqa: E731
    rollout = {"rollout": 0.0, "kv_pool": 0.0}
    train = {"weights": 0.0, "grads": 0.0, "optimizer": 0.0, "ref": 0.0, "rm": 0.0}

    for role in roles:
        if role == "rollout":
            rollout["rollout"] = to_gb(n_params * bytes_per_param["rollout"])
            rollout["kv_pool"] = float(kv_pool_gb)
        elif role == "actor":
            w = n_params * bytes_per_param["train"]
            g = n_params * bytes_per_param["grad"]
            o = n_params * (bytes_per_param["master"] + bytes_per_param["m"] + bytes_per_param["v"])
            train["weights"] = to_gb(w / dp if zero_stage >= 3 else w)
            train["grads"] = to_gb(g / dp if zero_stage >= 2 else g)
            train["optimizer"] = to_gb(o / dp if zero_stage >= 1 else o)
        else:
            train[role] = to_gb(n_params * bytes_per_param[role])
    for item in offload:
        train[item] = 0.0

    r, t = sum(rollout.values()), sum(train.values())
    return {
        "phases": {"rollout": rollout, "train": train},
        "peak_gb": max(r, t) if colocate_phases else r + t,
    }
