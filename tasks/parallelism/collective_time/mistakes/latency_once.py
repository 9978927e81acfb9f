import math


def collective_time(op, bytes, n, bw, alpha=0, algo="ring"):
    if n <= 1:
        return 0.0
    if algo == "tree":
        depth = math.ceil(math.log2(n))
        if op == "all_reduce":
            return alpha + 2 * bytes / bw
        return alpha + bytes / bw
    if op == "all_reduce":
        return alpha + 2 * (n - 1) / n * bytes / bw
    if op in ("broadcast", "reduce"):
        return alpha + bytes / bw
    return alpha + (n - 1) / n * bytes / bw
