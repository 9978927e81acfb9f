"""A phase holds what it needs and nothing else, and only the actor's training state is ever sharded."""

GB = 1e9


def grpo_memory_estimate(
    n_params, bytes_per_param, roles, zero_stage=0, dp=1, offload=(), kv_pool_gb=0.0, colocate_phases=True
):
    """Return what one GPU holds in each phase of a GRPO step, item by item, and the peak, in GB of 1e9 bytes.

    Source: arXiv:1910.02054, section 3 and figure 1.
    """

    def copy_gb(key, role, ranks=1):
        return n_params * bytes_per_param[key] / ranks / GB if role in roles else 0.0

    weight_ranks = dp if zero_stage >= 3 else 1
    grad_ranks = dp if zero_stage >= 2 else 1
    optimizer_ranks = dp if zero_stage >= 1 else 1
    rollout = {
        "rollout": copy_gb("rollout", "rollout"),
        "kv_pool": kv_pool_gb if "rollout" in roles else 0.0,
    }
    train = {
        "weights": copy_gb("train", "actor", weight_ranks),
        "grads": copy_gb("grad", "actor", grad_ranks),
        "optimizer": sum(copy_gb(key, "actor", optimizer_ranks) for key in ("master", "m", "v")),
        "ref": copy_gb("ref", "ref"),
        "rm": copy_gb("rm", "rm"),
    }
    for item in offload:
        train[item] = 0.0

    totals = [sum(rollout.values()), sum(train.values())]
    peak = max(totals) if colocate_phases else sum(totals)
    return {"phases": {"rollout": rollout, "train": train}, "peak_gb": peak}
