# expect: wrong
# mistake: An all-to-all is counted with n steps, including the chunk that a rank keeps, instead of n - 1.
import math


def collective_time(op, bytes, n, bw, alpha=0, algo="ring"):
    if n == 1:
        return 0.0
    if algo == "tree":
        assert op in ("all_reduce", "broadcast", "reduce")
        seconds = bytes / bw + math.ceil(math.log2(n)) * alpha
        return seconds * (2 if op == "all_reduce" else 1)

    step = bytes / n / bw + alpha
    match op:
        case "all_reduce":
            return 2 * (n - 1) * step
        case "reduce_scatter" | "all_gather":
            return (n - 1) * step
        case "all_to_all":
            return n * step
        case "broadcast" | "reduce":
            return bytes / bw + (n - 1) * alpha
