import torch


def grpo_memory_estimate(
    n_params, bytes_per_param, roles, zero_stage=0, dp=1, offload=(), kv_pool_gb=0.0, colocate_phases=True
):
    """One row of a table for each item: bytes, who it belongs to, from which stage on it is divided."""
    b = bytes_per_param
    names = ["rollout", "kv_pool", "weights", "grads", "optimizer", "ref", "rm"]
    owners = ["rollout", "rollout", "actor", "actor", "actor", "ref", "rm"]
    per_param = [b["rollout"], 0, b["train"], b["grad"], b["master"] + b["m"] + b["v"], b["ref"], b["rm"]]
    divided_from = torch.tensor([4, 4, 3, 2, 1, 4, 4])
    gb = torch.tensor(per_param, dtype=torch.float64) * (n_params / 1e9)
    gb[1] = kv_pool_gb
    gb = torch.where(divided_from <= zero_stage, gb / dp, gb)
    is_here = [owner in roles and name not in offload for owner, name in zip(owners, names, strict=True)]
    gb = gb * torch.tensor(is_here, dtype=torch.float64)
    totals = torch.stack([gb[:2].sum(), gb[2:].sum()])
    items = dict(zip(names, gb.tolist(), strict=True))
    return {
        "phases": {
            "rollout": {name: items[name] for name in names[:2]},
            "train": {name: items[name] for name in names[2:]},
        },
        "peak_gb": (totals.max() if colocate_phases else totals.sum()).item(),
    }
