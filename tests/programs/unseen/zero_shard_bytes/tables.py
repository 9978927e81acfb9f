# expect: right
def zero_shard_bytes(psi, N, stage, p_bytes, g_bytes, opt_bytes):
    shard = (psi + N - 1) // N
    kept = {
        "params": shard if stage >= 3 else psi,
        "grads": shard if stage >= 2 else psi,
        "opt": shard if stage >= 1 else psi,
    }
    # each stage below 3 costs a reduce-scatter and an all-gather; stage 3 gathers once more for the backward pass
    collectives = 3 if stage == 3 else 2
    return {
        "params": kept["params"] * p_bytes,
        "grads": kept["grads"] * g_bytes,
        "opt": kept["opt"] * opt_bytes,
        "comm_elements": collectives * psi * (N - 1) / N,
    }
