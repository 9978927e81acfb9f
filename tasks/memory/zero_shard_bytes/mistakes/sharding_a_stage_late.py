import math


def zero_shard_bytes(psi, N, stage, p_bytes, g_bytes, opt_bytes):
    shard = math.ceil(psi / N)
    params = psi
    grads = shard if stage >= 3 else psi
    opt = shard if stage >= 2 else psi
    volume = psi * (N - 1) / N
    comm = 3 * volume if stage == 3 else 2 * volume
    return {"params": params * p_bytes, "grads": grads * g_bytes, "opt": opt * opt_bytes, "comm_elements": comm}
