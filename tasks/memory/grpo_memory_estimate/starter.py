def grpo_memory_estimate(
    n_params, bytes_per_param, roles, zero_stage=0, dp=1, offload=(), kv_pool_gb=0.0, colocate_phases=True
):
    """Return {"phases": {"rollout": {...}, "train": {...}}, "peak_gb": ...}, all numbers in GB of 1e9 bytes.

    bytes_per_param: bytes by key: train, grad, master, m, v, ref, rm, rollout.
    """
    raise NotImplementedError
