# expect: wrong
# mistake: The KV pool is counted even if this GPU does not hold the role "rollout".
def grpo_memory_estimate(
    n_params, bytes_per_param, roles, zero_stage=0, dp=1, offload=(), kv_pool_gb=0.0, colocate_phases=True
):
    """Return {"phases": {"rollout": {...}, "train": {...}}, "peak_gb": ...}, all numbers in GB of 1e9 bytes."""

    def size(role, *keys, shards=1, offload_as=None):
        if role not in roles or offload_as in offload:
            return 0.0
        return n_params * sum(bytes_per_param[key] for key in keys) / shards / 1e9

    ranks = [dp if zero_stage >= stage else 1 for stage in (1, 2, 3)]
    phases = {
        "rollout": {"rollout": size("rollout", "rollout"), "kv_pool": float(kv_pool_gb)},
        "train": {
            "weights": size("actor", "train", shards=ranks[2]),
            "grads": size("actor", "grad", shards=ranks[1]),
            "optimizer": size("actor", "master", "m", "v", shards=ranks[0], offload_as="optimizer"),
            "ref": size("ref", "ref", offload_as="ref"),
            "rm": size("rm", "rm", offload_as="rm"),
        },
    }
    rollout_gb = sum(phases["rollout"].values())
    train_gb = sum(phases["train"].values())
    return {"phases": phases, "peak_gb": max(rollout_gb, train_gb) if colocate_phases else rollout_gb + train_gb}
