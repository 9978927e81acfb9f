# expect: wrong
# mistake: Stage 1 is charged for an all-reduce of the gradients plus an all-gather of the weights, three shares instead of two.
import math


def zero_shard_bytes(psi, N, stage, p_bytes, g_bytes, opt_bytes):
    per_rank = math.ceil(psi / N)

    params = psi * p_bytes
    grads = psi * g_bytes
    opt = psi * opt_bytes
    if stage >= 1:
        opt = per_rank * opt_bytes
    if stage >= 2:
        grads = per_rank * g_bytes
    if stage >= 3:
        params = per_rank * p_bytes

    rs = ag = psi - psi / N
    if stage == 0:
        comm = rs + ag              # all-reduce of gradients
    elif stage == 1:
        comm = (rs + ag) + ag       # all-reduce of gradients, all-gather of weights
    elif stage == 2:
        comm = rs + ag              # reduce-scatter, all-gather
    else:
        comm = ag + ag + rs         # forward, backward, gradients
    return {"params": params, "grads": grads, "opt": opt, "comm_elements": comm}
