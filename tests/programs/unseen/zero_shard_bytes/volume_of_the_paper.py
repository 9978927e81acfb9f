# expect: wrong
# mistake: A collective sends all psi elements; the rank's own share is not subtracted.
def zero_shard_bytes(psi, N, stage, p_bytes, g_bytes, opt_bytes):
    shard, rest = divmod(psi, N)
    if rest:
        shard += 1
    result = {
        "params": psi * p_bytes,
        "grads": psi * g_bytes,
        "opt": psi * opt_bytes,
        "comm_elements": 2 * psi,
    }
    if stage > 0:
        result["opt"] = shard * opt_bytes
    if stage > 1:
        result["grads"] = shard * g_bytes
    if stage > 2:
        result["params"] = shard * p_bytes
        result["comm_elements"] = 3 * psi
    if N == 1:
        result["comm_elements"] = 0
    return result
