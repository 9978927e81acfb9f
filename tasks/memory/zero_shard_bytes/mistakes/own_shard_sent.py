def zero_shard_bytes(psi, N, stage, p_bytes, g_bytes, opt_bytes):
    out = {"params": psi * p_bytes, "grads": psi * g_bytes, "opt": psi * opt_bytes}
    per_rank = (psi + N - 1) // N
    if stage >= 1:
        out["opt"] = per_rank * opt_bytes
    if stage >= 2:
        out["grads"] = per_rank * g_bytes
    if stage >= 3:
        out["params"] = per_rank * p_bytes
    reduce_scatter = all_gather = float(psi)
    out["comm_elements"] = reduce_scatter + all_gather
    if stage >= 3:
        out["comm_elements"] += all_gather
    return out
