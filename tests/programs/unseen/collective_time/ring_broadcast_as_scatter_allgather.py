# expect: wrong
# mistake: A ring broadcast or reduce is timed as a scatter plus an all-gather (2 (n-1)/n of the bytes and 2 (n-1) latencies) instead of a pipelined chain.
def _levels(n):
    count = 0
    while n > 1:
        n = -(-n // 2)
        count += 1
    return count


def _ring_pass(bytes, n, bw, alpha):
    """n - 1 steps, each moves one of n equal chunks."""
    return (n - 1) * (bytes / n / bw + alpha)


def collective_time(op, bytes, n, bw, alpha=0, algo="ring"):
    if n == 1:
        return 0.0
    if algo == "tree":
        t = bytes / bw + alpha * _levels(n)
        if op == "all_reduce":
            t *= 2
        return t
    passes = {
        "all_reduce": 2,
        "reduce_scatter": 1,
        "all_gather": 1,
        "all_to_all": 1,
        "broadcast": 2,
        "reduce": 2,
    }
    return passes[op] * _ring_pass(bytes, n, bw, alpha)
