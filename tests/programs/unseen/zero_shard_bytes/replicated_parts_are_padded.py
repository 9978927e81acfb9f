# expect: wrong
# mistake: Parts that the stage does not shard are stored with padding to a multiple of N instead of exactly psi elements.
def zero_shard_bytes(psi, N, stage, p_bytes, g_bytes, opt_bytes):
    pad = (-psi) % N
    flat = psi + pad
    shard = flat // N

    def stored(threshold, width):
        return (shard if stage >= threshold else flat) * width

    share = psi * (N - 1) / N
    return dict(
        params=stored(3, p_bytes),
        grads=stored(2, g_bytes),
        opt=stored(1, opt_bytes),
        comm_elements=share * (2 + (stage == 3)),
    )
