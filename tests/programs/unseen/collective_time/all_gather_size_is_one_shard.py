# expect: wrong
# mistake: For an all-gather, bytes is taken as the shard that each rank contributes, so n - 1 full copies of it are counted instead of (n - 1) / n of the array.
def collective_time(op, bytes, n, bw, alpha=0, algo="ring"):
    if n <= 1:
        return 0.0

    if algo == "tree":
        depth, m = 0, n
        while m > 1:
            m = (m + 1) // 2
            depth += 1
        one_way = bytes / bw + alpha * depth
        return 2 * one_way if op == "all_reduce" else one_way

    chunk = bytes / n
    if op == "all_reduce":
        return 2 * (n - 1) * (chunk / bw + alpha)
    if op == "reduce_scatter":
        return (n - 1) * (chunk / bw + alpha)
    if op == "all_gather":
        return (n - 1) * (bytes / bw + alpha)
    if op == "all_to_all":
        return (n - 1) * (chunk / bw + alpha)
    if op in ("broadcast", "reduce"):
        return bytes / bw + (n - 1) * alpha
    raise ValueError(f"unknown op {op}")
