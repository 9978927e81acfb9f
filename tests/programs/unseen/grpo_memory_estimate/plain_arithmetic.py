# expect: right
GB = 1e9


def grpo_memory_estimate(
    n_params, bytes_per_param, roles, zero_stage=0, dp=1, offload=(), kv_pool_gb=0.0, colocate_phases=True
):
    """Return {"phases": {"rollout": {...}, "train": {...}}, "peak_gb": ...}, all numbers in GB of 1e9 bytes."""

    def copy_gb(*keys):
        return float(n_params * sum(bytes_per_param[key] for key in keys) / GB)

    has_actor = "actor" in roles
    has_engine = "rollout" in roles

    weights = copy_gb("train") if has_actor else 0.0
    grads = copy_gb("grad") if has_actor else 0.0
    optimizer = copy_gb("master", "m", "v") if has_actor and "optimizer" not in offload else 0.0
    if zero_stage >= 1:
        optimizer /= dp
    if zero_stage >= 2:
        grads /= dp
    if zero_stage >= 3:
        weights /= dp

    rollout = {
        "rollout": copy_gb("rollout") if has_engine else 0.0,
        "kv_pool": float(kv_pool_gb) if has_engine else 0.0,
    }
    train = {
        "weights": weights,
        "grads": grads,
        "optimizer": optimizer,
        "ref": copy_gb("ref") if "ref" in roles and "ref" not in offload else 0.0,
        "rm": copy_gb("rm") if "rm" in roles and "rm" not in offload else 0.0,
    }
    sums = [sum(rollout.values()), sum(train.values())]
    return {
        "phases": {"rollout": rollout, "train": train},
        "peak_gb": max(sums) if colocate_phases else sum(sums),
    }
