# expect: right
def collective_time(op, bytes, n, bw, alpha=0, algo="ring"):
    if n == 1:
        return 0.0
    if algo == "tree":
        levels = (n - 1).bit_length()
        directions = 2 if op == "all_reduce" else 1
        return directions * (bytes / bw + levels * alpha)

    if op in ("broadcast", "reduce"):
        return bytes / bw + (n - 1) * alpha

    steps = n - 1
    if op == "all_reduce":
        steps *= 2
    return steps * (bytes / n / bw + alpha)
