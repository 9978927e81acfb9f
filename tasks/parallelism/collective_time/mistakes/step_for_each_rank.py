from math import ceil, log2


def collective_time(op, bytes, n, bw, alpha=0, algo="ring"):
    factor = {
        "all_reduce": 2 * (n - 1) / n,
        "reduce_scatter": (n - 1) / n,
        "all_gather": (n - 1) / n,
        "all_to_all": (n - 1) / n,
        "broadcast": 1,
        "reduce": 1,
    }
    rounds = 2 if op == "all_reduce" else 1
    if n == 1:
        return 0.0
    if algo == "tree":
        return rounds * (ceil(log2(n)) * alpha + bytes / bw)
    return factor[op] * bytes / bw + rounds * n * alpha
