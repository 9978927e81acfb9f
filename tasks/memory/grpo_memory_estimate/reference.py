"""An item counts in its phase if its role is on this GPU and it is not offloaded; only training state is sharded."""

GB = 1e9
ROLE_OF = {
    "rollout": {"rollout": "rollout", "kv_pool": "rollout"},
    "train": {"weights": "actor", "grads": "actor", "optimizer": "actor", "ref": "ref", "rm": "rm"},
}


def grpo_memory_estimate(
    n_params, bytes_per_param, roles, zero_stage=0, dp=1, offload=(), kv_pool_gb=0.0, colocate_phases=True
):
    """Return the memory of each item on one GPU in each phase of a GRPO step, and the peak, in GB of 1e9 bytes.

    Source: arXiv:1910.02054, section 3 and figure 1.
    """

    def copy_gb(key):
        return n_params * bytes_per_param[key] / GB

    sizes = {
        "rollout": copy_gb("rollout"),
        "kv_pool": kv_pool_gb,
        "weights": copy_gb("train") / (dp if zero_stage >= 3 else 1),
        "grads": copy_gb("grad") / (dp if zero_stage >= 2 else 1),
        "optimizer": (copy_gb("master") + copy_gb("m") + copy_gb("v")) / (dp if zero_stage >= 1 else 1),
        "ref": copy_gb("ref"),
        "rm": copy_gb("rm"),
    }
    phases = {
        phase: {item: sizes[item] if role in roles and item not in offload else 0.0 for item, role in items.items()}
        for phase, items in ROLE_OF.items()
    }
    totals = [sum(items.values()) for items in phases.values()]
    return {"phases": phases, "peak_gb": max(totals) if colocate_phases else sum(totals)}
