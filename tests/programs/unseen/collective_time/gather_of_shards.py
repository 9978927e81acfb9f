# expect: wrong
# mistake: for an all-gather the size is taken as the part of one rank and not as the whole array
from math import ceil, log2


def collective_time(op, bytes, n, bw, alpha=0, algo="ring"):
    if n == 1:
        return 0.0
    if algo == "tree":
        t = bytes / bw + ceil(log2(n)) * alpha
        return 2 * t if op == "all_reduce" else t
    chunk = bytes / n
    if op == "all_reduce":
        return 2 * (n - 1) * (chunk / bw + alpha)
    if op == "all_gather":
        return (n - 1) * (bytes / bw + alpha)
    if op in ("reduce_scatter", "all_to_all"):
        return (n - 1) * (chunk / bw + alpha)
    return bytes / bw + (n - 1) * alpha
