# expect: wrong
# mistake: The gradients are already divided by dp at ZeRO stage 1 instead of only from stage 2 on.
def grpo_memory_estimate(
    n_params, bytes_per_param, roles, zero_stage=0, dp=1, offload=(), kv_pool_gb=0.0, colocate_phases=True
):
    per_gb = n_params / 1e9
    b = bytes_per_param
    weights = grads = optim = ref = rm = engine = kv = 0.0

    if "actor" in roles:
        weights = b["train"] * per_gb
        grads = b["grad"] * per_gb
        optim = (b["master"] + b["m"] + b["v"]) * per_gb
        if zero_stage >= 1:
            optim /= dp
            grads /= dp
        if zero_stage == 3:
            weights /= dp
        if "optimizer" in offload:
            optim = 0.0
    if "ref" in roles and "ref" not in offload:
        ref = b["ref"] * per_gb
    if "rm" in roles and "rm" not in offload:
        rm = b["rm"] * per_gb
    if "rollout" in roles:
        engine = b["rollout"] * per_gb
        kv = kv_pool_gb

    phases = {
        "rollout": {"rollout": engine, "kv_pool": kv},
        "train": {"weights": weights, "grads": grads, "optimizer": optim, "ref": ref, "rm": rm},
    }
    totals = [sum(p.values()) for p in phases.values()]
    return {"phases": phases, "peak_gb": max(totals) if colocate_phases else sum(totals)}
