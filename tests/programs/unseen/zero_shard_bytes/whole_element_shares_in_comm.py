# expect: wrong
# mistake: A rank's own share in a collective is rounded down to psi // N elements, so the sent count is not (N-1)/N of psi when N does not divide psi.
def zero_shard_bytes(psi, N, stage, p_bytes, g_bytes, opt_bytes):
    shard, rest = divmod(psi, N)
    own = shard
    if rest:
        shard += 1

    reduce_scatter = psi - own
    all_gather = psi - own
    if stage <= 2:
        comm = reduce_scatter + all_gather
    else:
        comm = reduce_scatter + 2 * all_gather

    return {
        "params": p_bytes * (psi if stage < 3 else shard),
        "grads": g_bytes * (psi if stage < 2 else shard),
        "opt": opt_bytes * (psi if stage < 1 else shard),
        "comm_elements": comm,
    }
