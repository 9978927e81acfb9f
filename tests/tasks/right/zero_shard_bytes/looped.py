def zero_shard_bytes(psi, N, stage, p_bytes, g_bytes, opt_bytes):
    shard, rest = divmod(psi, N)
    if rest:
        shard += 1
    params, grads, opt = psi * p_bytes, psi * g_bytes, psi * opt_bytes
    sent = 0.0
    if stage == 0:
        for _half_of_all_reduce in range(2):
            sent += psi * (1 - 1 / N)
    else:
        opt = shard * opt_bytes
        sent += psi * (1 - 1 / N)  # reduce-scatter of gradients
        if stage > 1:
            grads = shard * g_bytes
        gathers = 1
        if stage > 2:
            params = shard * p_bytes
            gathers = 2
        for _ in range(gathers):
            sent += psi * (1 - 1 / N)
    return {"params": params, "grads": grads, "opt": opt, "comm_elements": sent}
