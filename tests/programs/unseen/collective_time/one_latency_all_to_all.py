# expect: wrong
# mistake: an all-to-all is charged a single latency instead of one for each of its n - 1 steps
def _steps(op, n, algo):
    if op == "all_to_all":
        return 1
    if algo == "tree":
        depth = 0
        while (1 << depth) < n:
            depth += 1
        return 2 * depth if op == "all_reduce" else depth
    return 2 * (n - 1) if op == "all_reduce" else n - 1


def _volume(op, size, n, algo):
    if algo == "tree" or op in ("broadcast", "reduce"):
        return 2 * size if op == "all_reduce" else size
    fraction = (n - 1) / n
    return size * fraction * (2 if op == "all_reduce" else 1)


def collective_time(op, bytes, n, bw, alpha=0, algo="ring"):
    if n == 1:
        return 0.0
    return _volume(op, bytes, n, algo) / bw + _steps(op, n, algo) * alpha
