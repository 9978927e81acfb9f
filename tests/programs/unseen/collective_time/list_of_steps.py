# expect: right
def halvings(n):
    """Count how often n must be halved, rounding up, to come to 1."""
    count = 0
    while n > 1:
        n = (n + 1) // 2
        count += 1
    return count


def plan(op, size, n, algo):
    """Return the bytes that one rank sends in all, and the number of steps."""
    if op == "all_reduce" and algo == "tree":
        up, down = plan("reduce", size, n, algo), plan("broadcast", size, n, algo)
        return up[0] + down[0], up[1] + down[1]
    if op == "all_reduce":
        first, second = plan("reduce_scatter", size, n, algo), plan("all_gather", size, n, algo)
        return first[0] + second[0], first[1] + second[1]
    if op in ("broadcast", "reduce"):
        return size, halvings(n) if algo == "tree" else n - 1
    if op in ("reduce_scatter", "all_gather", "all_to_all"):
        chunk = size / n
        steps = range(1, n)
        return sum(chunk for _ in steps), len(steps)
    raise ValueError(op)


def collective_time(op, bytes, n, bw, alpha=0, algo="ring"):
    if n <= 1:
        return 0
    sent, steps = plan(op, bytes, n, algo)
    return sent / bw + steps * alpha
