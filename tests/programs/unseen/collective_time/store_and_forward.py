# expect: wrong
# mistake: in a ring's broadcast and reduce each rank waits for the whole array before it passes it on
# mistake: a ring's all-reduce is charged n - 1 latencies instead of 2 (n - 1)
import math


def collective_time(op, bytes, n, bw, alpha=0, algo="ring"):
    if n == 1:
        return 0.0
    if algo == "tree":
        depth = math.ceil(math.log2(n))
        once = bytes / bw + depth * alpha
        return 2 * once if op == "all_reduce" else once
    if op == "all_reduce":
        return 2 * (n - 1) / n * bytes / bw + (n - 1) * alpha
    if op in ("broadcast", "reduce"):
        return (n - 1) * (bytes / bw + alpha)
    return (n - 1) / n * bytes / bw + (n - 1) * alpha
