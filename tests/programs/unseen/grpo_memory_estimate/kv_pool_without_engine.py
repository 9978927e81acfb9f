# expect: wrong
# mistake: The KV pool is counted even if the roles do not include "rollout".
def grpo_memory_estimate(
    n_params, bytes_per_param, roles, zero_stage=0, dp=1, offload=(), kv_pool_gb=0.0, colocate_phases=True
):
    roles, offload = set(roles), set(offload)
    full = {k: n_params * v / 1e9 for k, v in bytes_per_param.items()}
    shard = [zero_stage >= s and dp or 1 for s in (1, 2, 3)]

    train = {
        "weights": full["train"] / shard[2],
        "grads": full["grad"] / shard[1],
        "optimizer": (full["master"] + full["m"] + full["v"]) / shard[0],
        "ref": full["ref"],
        "rm": full["rm"],
    }
    if "actor" not in roles:
        train.update(weights=0.0, grads=0.0, optimizer=0.0)
    for key in ("ref", "rm"):
        if key not in roles:
            train[key] = 0.0
    for key in offload:
        train[key] = 0.0

    rollout = {"rollout": full["rollout"] if "rollout" in roles else 0.0, "kv_pool": float(kv_pool_gb)}

    rollout_total = rollout["rollout"] + rollout["kv_pool"]
    train_total = sum(train.values())
    peak = max(rollout_total, train_total) if colocate_phases else rollout_total + train_total
    return {"phases": {"rollout": rollout, "train": train}, "peak_gb": peak}
