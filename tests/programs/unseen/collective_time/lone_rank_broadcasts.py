# expect: wrong
# mistake: one rank alone is charged bytes over bandwidth for broadcast, reduce and trees, instead of 0
def collective_time(op, bytes, n, bw, alpha=0, algo="ring"):
    if algo == "tree":
        depth, left = 0, n
        while left > 1:
            left = -(-left // 2)
            depth += 1
        trip = bytes / bw + alpha * depth
        return trip * 2 if op == "all_reduce" else trip
    hops = n - 1
    if op == "broadcast" or op == "reduce":
        return bytes / bw + alpha * hops
    lap = hops * (bytes / n) / bw + alpha * hops
    return lap * 2 if op == "all_reduce" else lap
