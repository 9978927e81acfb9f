# expect: right
def zero_shard_bytes(psi, N, stage, p_bytes, g_bytes, opt_bytes):
    shard = (psi + N - 1) // N
    n_params = shard if stage >= 3 else psi
    n_grads = shard if stage >= 2 else psi
    n_opt = shard if stage >= 1 else psi
    passes = 3 if stage == 3 else 2
    return {
        "params": n_params * p_bytes,
        "grads": n_grads * g_bytes,
        "opt": n_opt * opt_bytes,
        "comm_elements": passes * psi * (N - 1) / N,
    }
