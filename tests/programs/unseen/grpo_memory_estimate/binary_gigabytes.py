# expect: wrong
# mistake: It converts bytes with 2**30 instead of 10**9 bytes per GB.
def _gb(n_bytes):
    return n_bytes / 1024**3


def grpo_memory_estimate(
    n_params, bytes_per_param, roles, zero_stage=0, dp=1, offload=(), kv_pool_gb=0.0, colocate_phases=True
):
    """Return {"phases": {"rollout": {...}, "train": {...}}, "peak_gb": ...}."""
    b = bytes_per_param
    train = {"weights": 0.0, "grads": 0.0, "optimizer": 0.0, "ref": 0.0, "rm": 0.0}
    if "actor" in roles:
        train["weights"] = _gb(n_params * b["train"]) / (dp if zero_stage > 2 else 1)
        train["grads"] = _gb(n_params * b["grad"]) / (dp if zero_stage > 1 else 1)
        if "optimizer" not in offload:
            train["optimizer"] = _gb(n_params * (b["master"] + b["m"] + b["v"])) / (dp if zero_stage > 0 else 1)
    if "ref" in roles and "ref" not in offload:
        train["ref"] = _gb(n_params * b["ref"])
    if "rm" in roles and "rm" not in offload:
        train["rm"] = _gb(n_params * b["rm"])
    rollout = {"rollout": 0.0, "kv_pool": 0.0}
    if "rollout" in roles:
        rollout["rollout"] = _gb(n_params * b["rollout"])
        rollout["kv_pool"] = float(kv_pool_gb)
    a, c = sum(rollout.values()), sum(train.values())
    return {"phases": {"rollout": rollout, "train": train}, "peak_gb": max(a, c) if colocate_phases else a + c}
