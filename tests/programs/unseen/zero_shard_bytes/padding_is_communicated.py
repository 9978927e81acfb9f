# expect: wrong
# mistake: From stage 1 on, the collectives move the padded buffer, N - 1 whole shards each, instead of psi elements.
def ceil_div(a, b):
    return -(-a // b)


def zero_shard_bytes(psi, N, stage, p_bytes, g_bytes, opt_bytes):
    k = ceil_div(psi, N)
    p = k if stage == 3 else psi
    g = k if stage in (2, 3) else psi
    o = k if stage in (1, 2, 3) else psi

    if stage == 0:
        sent = 2 * (psi - psi / N)
    else:
        collectives = 2 if stage < 3 else 3
        sent = collectives * (N - 1) * k

    return {"params": p * p_bytes, "grads": g * g_bytes, "opt": o * opt_bytes, "comm_elements": sent}
