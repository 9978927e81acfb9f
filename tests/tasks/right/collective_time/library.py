from fractions import Fraction
from math import ceil, log2


def collective_time(op, bytes, n, bw, alpha=0, algo="ring"):
    if n == 1:
        return 0.0
    if op == "all_reduce" and algo == "ring":
        return sum(collective_time(half, bytes, n, bw, alpha) for half in ("reduce_scatter", "all_gather"))
    if op == "all_reduce":
        return sum(collective_time(half, bytes, n, bw, alpha, "tree") for half in ("reduce", "broadcast"))
    steps = ceil(log2(n)) if algo == "tree" else n - 1
    moved = Fraction(bytes) if op in {"broadcast", "reduce"} else Fraction(bytes) * Fraction(n - 1, n)
    return float(moved / Fraction(bw) + steps * Fraction(alpha))
