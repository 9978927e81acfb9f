import math


def kv_bytes(L, n_kv, d_h, bytes, tokens, tp=1, mla=None):
    layers_here = math.ceil(L / tp)
    if mla is not None:
        return L * sum(mla) * bytes * tokens
    return 2 * layers_here * max(1, n_kv // tp) * d_h * bytes * tokens
