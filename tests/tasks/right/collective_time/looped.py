def collective_time(op, bytes, n, bw, alpha=0, algo="ring"):
    if n < 2:
        return 0.0
    seconds = 0.0
    if algo == "ring":
        if op in ("broadcast", "reduce"):
            seconds = bytes / bw
            for _link in range(n - 1):
                seconds += alpha
            return seconds
        phases = ["reduce_scatter", "all_gather"] if op == "all_reduce" else [op]
        for _phase in phases:
            for _step in range(n - 1):
                seconds += alpha + bytes / n / bw
        return seconds
    for _direction in ("up", "down") if op == "all_reduce" else ("only",):
        seconds += bytes / bw
        left = n
        while left > 1:
            left = (left + 1) // 2
            seconds += alpha
    return seconds
