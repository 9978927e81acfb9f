# expect: wrong
# mistake: At stage 1 the gradients are all-reduced and the weights gathered, three collectives' worth instead of two.
# mistake: From stage 1 on, what a stage does not shard is padded too.
def zero_shard_bytes(psi, N, stage, p_bytes, g_bytes, opt_bytes):
    shard = -(-psi // N)
    padded = shard * N
    share = psi * (N - 1) / N
    if stage == 0:
        return {
            "params": psi * p_bytes,
            "grads": psi * g_bytes,
            "opt": psi * opt_bytes,
            "comm_elements": 2 * share,
        }
    params = shard if stage >= 3 else padded
    grads = shard if stage >= 2 else padded
    comm = {1: 3 * share, 2: 2 * share, 3: 3 * share}[stage]
    return {
        "params": params * p_bytes,
        "grads": grads * g_bytes,
        "opt": shard * opt_bytes,
        "comm_elements": comm,
    }
