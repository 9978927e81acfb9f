# expect: wrong
# mistake: With colocate_phases the peak is the sum of the two phases, and without it the larger of the two, exactly the other way round.
def grpo_memory_estimate(
    n_params, bytes_per_param, roles, zero_stage=0, dp=1, offload=(), kv_pool_gb=0.0, colocate_phases=True
):
    def gb(n_bytes):
        return n_params * n_bytes / 1e9

    actor = "actor" in roles
    opt_bytes = bytes_per_param["master"] + bytes_per_param["m"] + bytes_per_param["v"]
    train = {
        "weights": gb(bytes_per_param["train"]) / (dp if zero_stage >= 3 else 1) if actor else 0.0,
        "grads": gb(bytes_per_param["grad"]) / (dp if zero_stage >= 2 else 1) if actor else 0.0,
        "optimizer": gb(opt_bytes) / (dp if zero_stage >= 1 else 1)
        if actor and "optimizer" not in offload
        else 0.0,
        "ref": gb(bytes_per_param["ref"]) if "ref" in roles and "ref" not in offload else 0.0,
        "rm": gb(bytes_per_param["rm"]) if "rm" in roles and "rm" not in offload else 0.0,
    }
    has_engine = "rollout" in roles
    rollout = {
        "rollout": gb(bytes_per_param["rollout"]) if has_engine else 0.0,
        "kv_pool": float(kv_pool_gb) if has_engine else 0.0,
    }
    t, r = sum(train.values()), sum(rollout.values())
    # colocated: engine and trainer share one GPU
    peak = t + r if colocate_phases else max(t, r)
    return {"phases": {"rollout": rollout, "train": train}, "peak_gb": peak}
