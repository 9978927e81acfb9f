# expect: right
from fractions import Fraction


def reduce_scatter(psi, N):
    return psi - Fraction(psi, N)


def all_gather(psi, N):
    return psi - Fraction(psi, N)


def all_reduce(psi, N):
    return reduce_scatter(psi, N) + all_gather(psi, N)


def zero_shard_bytes(psi, N, stage, p_bytes, g_bytes, opt_bytes):
    """Bytes on one rank, and elements that it sends in one step."""
    shard = -(-psi // N)
    params = grads = opt = psi
    if stage == 0:
        sent = all_reduce(psi, N)
    elif stage in (1, 2):
        opt = shard
        if stage == 2:
            grads = shard
        sent = reduce_scatter(psi, N) + all_gather(psi, N)
    elif stage == 3:
        params = grads = opt = shard
        forward = all_gather(psi, N)
        backward = all_gather(psi, N) + reduce_scatter(psi, N)
        sent = forward + backward
    else:
        raise ValueError(f"there is no stage {stage}")
    sent = int(sent) if sent.denominator == 1 else float(sent)
    return {"params": params * p_bytes, "grads": grads * g_bytes, "opt": opt * opt_bytes, "comm_elements": sent}
