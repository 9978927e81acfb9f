# expect: wrong
# mistake: Communication is 2 psi (stages 0 to 2) or 3 psi (stage 3) as in the paper's approximation, without subtracting the rank's own share psi / N.
def zero_shard_bytes(psi, N, stage, p_bytes, g_bytes, opt_bytes):
    sharded_from = {"params": 3, "grads": 2, "opt": 1}
    width = {"params": p_bytes, "grads": g_bytes, "opt": opt_bytes}
    shard = -(-psi // N)

    result = {}
    for part, first_stage in sharded_from.items():
        elements = shard if stage >= first_stage else psi
        result[part] = elements * width[part]

    if N == 1:
        result["comm_elements"] = 0
    else:
        result["comm_elements"] = 3 * psi if stage == 3 else 2 * psi
    return result
