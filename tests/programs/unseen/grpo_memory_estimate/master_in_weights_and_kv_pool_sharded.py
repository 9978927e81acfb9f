# expect: wrong
# mistake: The optimizer's master copy is counted under "weights" instead of under "optimizer", and the KV pool is divided by dp.
def grpo_memory_estimate(
    n_params, bytes_per_param, roles, zero_stage=0, dp=1, offload=(), kv_pool_gb=0.0, colocate_phases=True
):
    bpp = bytes_per_param
    unit = n_params / 1e9
    div = {"weights": dp if zero_stage >= 3 else 1, "grads": dp if zero_stage >= 2 else 1}
    div["optimizer"] = dp if zero_stage >= 1 else 1

    actor_bytes = {
        "weights": bpp["train"] + bpp["master"],
        "grads": bpp["grad"],
        "optimizer": bpp["m"] + bpp["v"],
    }
    train = {}
    for key, nbytes in actor_bytes.items():
        on_gpu = "actor" in roles and key not in offload
        train[key] = unit * nbytes / div[key] if on_gpu else 0.0
    for key in ("ref", "rm"):
        on_gpu = key in roles and key not in offload
        train[key] = unit * bpp[key] if on_gpu else 0.0

    if "rollout" in roles:
        rollout = {"rollout": unit * bpp["rollout"], "kv_pool": kv_pool_gb / dp}
    else:
        rollout = {"rollout": 0.0, "kv_pool": 0.0}

    usage = (sum(rollout.values()), sum(train.values()))
    return {
        "phases": {"rollout": rollout, "train": train},
        "peak_gb": max(usage) if colocate_phases else sum(usage),
    }
