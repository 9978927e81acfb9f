# expect: wrong
# mistake: The peak is always the larger of the two phases, also if colocate_phases is false.
# mistake: The reference is counted with the bytes of the actor's weights ("train") instead of with those of "ref".
def grpo_memory_estimate(
    n_params, bytes_per_param, roles, zero_stage=0, dp=1, offload=(), kv_pool_gb=0.0, colocate_phases=True
):
    """Return {"phases": {"rollout": {...}, "train": {...}}, "peak_gb": ...}, all numbers in GB of 1e9 bytes."""
    weights_gb = n_params * bytes_per_param["train"] / 1e9
    grads_gb = n_params * bytes_per_param["grad"] / 1e9
    optimizer_gb = n_params * (bytes_per_param["master"] + bytes_per_param["m"] + bytes_per_param["v"]) / 1e9
    frozen_copy_gb = weights_gb
    rm_gb = n_params * bytes_per_param["rm"] / 1e9
    engine_gb = n_params * bytes_per_param["rollout"] / 1e9

    train = {"weights": 0.0, "grads": 0.0, "optimizer": 0.0, "ref": 0.0, "rm": 0.0}
    rollout = {"rollout": 0.0, "kv_pool": 0.0}
    if "actor" in roles:
        train["weights"] = weights_gb / dp if zero_stage >= 3 else weights_gb
        train["grads"] = grads_gb / dp if zero_stage >= 2 else grads_gb
        if "optimizer" not in offload:
            train["optimizer"] = optimizer_gb / dp if zero_stage >= 1 else optimizer_gb
    if "ref" in roles and "ref" not in offload:
        train["ref"] = frozen_copy_gb
    if "rm" in roles and "rm" not in offload:
        train["rm"] = rm_gb
    if "rollout" in roles:
        rollout["rollout"] = engine_gb
        rollout["kv_pool"] = float(kv_pool_gb)
    phases = {"rollout": rollout, "train": train}
    return {"phases": phases, "peak_gb": max(sum(phase.values()) for phase in phases.values())}
