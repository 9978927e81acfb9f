# expect: wrong
# mistake: The number of tree levels is n.bit_length(), which is one too many when n is a power of two.
def collective_time(op, bytes, n, bw, alpha=0, algo="ring"):
    if n == 1:
        return 0
    wire = bytes / bw
    if algo == "ring":
        if op in ("broadcast", "reduce"):
            return wire + (n - 1) * alpha
        time = (n - 1) * alpha + wire * (n - 1) / n
        return 2 * time if op == "all_reduce" else time
    levels = int(n).bit_length()
    up = wire + levels * alpha
    if op == "all_reduce":
        down = up
        return up + down
    return up
