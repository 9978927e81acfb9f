# expect: wrong
# mistake: With a single rank, broadcast, reduce and the tree all-reduce take bytes / bw per direction instead of 0.
def collective_time(op, bytes, n, bw, alpha=0, algo="ring"):
    if algo == "tree":
        levels = 0
        while 2**levels < n:
            levels += 1
        one_direction = bytes / bw + levels * alpha
        return 2 * one_direction if op == "all_reduce" else one_direction

    hops = n - 1
    if op == "broadcast" or op == "reduce":
        return bytes / bw + hops * alpha

    per_phase = hops * (bytes / (n * bw) + alpha)
    phases = 2 if op == "all_reduce" else 1
    return phases * per_phase
