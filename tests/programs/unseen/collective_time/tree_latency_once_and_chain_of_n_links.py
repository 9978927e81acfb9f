# expect: wrong
# mistake: The tree all-reduce counts the latency of its levels only once for both directions, and the chain of a broadcast or reduce is given n links instead of n - 1.
import math


def collective_time(op, bytes, n, bw, alpha=0, algo="ring"):
    if n == 1:
        return 0.0

    def transfer(x):
        return x / bw

    if algo == "tree":
        latency = math.ceil(math.log2(n)) * alpha
        trips = 2 if op == "all_reduce" else 1
        return trips * transfer(bytes) + latency

    if op in ("broadcast", "reduce"):
        return transfer(bytes) + n * alpha

    rounds = n - 1
    if op == "all_reduce":
        rounds = 2 * (n - 1)
    return rounds * transfer(bytes / n) + rounds * alpha
