# expect: wrong
# mistake: A shard is the total divided by the number of ranks and rounded down, without the padding.
def zero_shard_bytes(psi, N, stage, p_bytes, g_bytes, opt_bytes):
    params = psi * p_bytes
    grads = psi * g_bytes
    opt = psi * opt_bytes
    if stage >= 1:
        opt //= N
    if stage >= 2:
        grads //= N
    if stage >= 3:
        params //= N
    volume = psi * (N - 1) / N
    comm = 3 * volume if stage == 3 else 2 * volume
    return {"params": params, "grads": grads, "opt": opt, "comm_elements": comm}
