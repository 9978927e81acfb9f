# expect: wrong
# mistake: broadcast and reduce in a ring are timed as scatter plus all-gather instead of a pipelined chain
def collective_time(op, bytes, n, bw, alpha=0, algo="ring"):
    if n < 2:
        return 0.0
    if algo == "tree":
        levels = (n - 1).bit_length()
        directions = 2 if op == "all_reduce" else 1
        return directions * (bytes / bw + levels * alpha)
    phases = {
        "reduce_scatter": 1,
        "all_gather": 1,
        "all_to_all": 1,
        "all_reduce": 2,
        "broadcast": 2,
        "reduce": 2,
    }[op]
    steps = phases * (n - 1)
    return steps * (bytes / n / bw + alpha)
