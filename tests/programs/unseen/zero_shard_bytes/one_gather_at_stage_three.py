# expect: wrong
# mistake: Stage 3 gathers the weights once per step instead of twice: those dropped after the forward pass are not gathered again for the backward pass.
def zero_shard_bytes(psi, N, stage, p_bytes, g_bytes, opt_bytes):
    per_rank = -(-psi // N)
    params = per_rank if stage == 3 else psi
    grads = per_rank if stage in (2, 3) else psi
    opt = per_rank if stage in (1, 2, 3) else psi
    gather_params = psi * (N - 1) / N
    reduce_grads = psi * (N - 1) / N
    return {
        "params": params * p_bytes,
        "grads": grads * g_bytes,
        "opt": opt * opt_bytes,
        "comm_elements": gather_params + reduce_grads,
    }
