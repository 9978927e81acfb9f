# expect: wrong
# mistake: The elements sent include the padding.
def zero_shard_bytes(psi, N, stage, p_bytes, g_bytes, opt_bytes):
    shard = (psi - 1) // N + 1
    if stage == 0:
        comm = 2 * (psi - psi / N)
    else:
        comm = (2 if stage < 3 else 3) * shard * (N - 1)
    return {
        "params": p_bytes * (psi if stage < 3 else shard),
        "grads": g_bytes * (psi if stage < 2 else shard),
        "opt": opt_bytes * (psi if stage < 1 else shard),
        "comm_elements": comm,
    }
