# expect: wrong
# mistake: Stage 1 shards the gradients too.
import math


def zero_shard_bytes(psi, N, stage, p_bytes, g_bytes, opt_bytes):
    shard = math.ceil(psi / N)
    sharded = {
        0: (),
        1: ("opt", "grads"),
        2: ("opt", "grads"),
        3: ("opt", "grads", "params"),
    }[stage]
    size = {"params": p_bytes, "grads": g_bytes, "opt": opt_bytes}
    out = {name: (shard if name in sharded else psi) * each for name, each in size.items()}
    one = psi - psi / N
    out["comm_elements"] = one * (3 if stage == 3 else 2)
    return out
