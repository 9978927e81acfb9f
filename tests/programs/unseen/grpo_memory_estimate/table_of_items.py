# expect: right
from collections import namedtuple

Item = namedtuple("Item", "phase name role keys shard_from offload_name")

# shard_from: the first ZeRO stage that divides the item over the data-parallel ranks (4: none does)
ITEMS = (
    Item("rollout", "rollout", "rollout", ("rollout",), 4, None),
    Item("train", "weights", "actor", ("train",), 3, None),
    Item("train", "grads", "actor", ("grad",), 2, None),
    Item("train", "optimizer", "actor", ("master", "m", "v"), 1, "optimizer"),
    Item("train", "ref", "ref", ("ref",), 4, "ref"),
    Item("train", "rm", "rm", ("rm",), 4, "rm"),
)


def grpo_memory_estimate(
    n_params, bytes_per_param, roles, zero_stage=0, dp=1, offload=(), kv_pool_gb=0.0, colocate_phases=True
):
    """Return {"phases": {"rollout": {...}, "train": {...}}, "peak_gb": ...}, all numbers in GB of 1e9 bytes."""
    roles, offload = frozenset(roles), frozenset(offload)
    phases = {"rollout": {}, "train": {}}
    for item in ITEMS:
        amount = 0.0
        if item.role in roles and item.offload_name not in offload:
            for key in item.keys:
                amount += float(n_params) * float(bytes_per_param[key]) / 1e9
            if zero_stage >= item.shard_from:
                amount /= dp
        phases[item.phase][item.name] = amount
    phases["rollout"]["kv_pool"] = float(kv_pool_gb) if "rollout" in roles else 0.0

    peak = 0.0
    for phase in phases.values():
        held = sum(phase.values())
        peak = max(peak, held) if colocate_phases else peak + held
    return {"phases": phases, "peak_gb": peak}
