# expect: wrong
# mistake: the depth of the tree is rounded down when n is not a power of two
import math


def collective_time(op, bytes, n, bw, alpha=0, algo="ring"):
    if n == 1:
        return 0.0
    if algo == "tree":
        depth = int(math.log2(n))
        seconds = bytes / bw + depth * alpha
        if op == "all_reduce":
            seconds *= 2
        return seconds
    if op in ("broadcast", "reduce"):
        return bytes / bw + alpha * (n - 1)
    seconds = (n - 1) * (bytes / (n * bw) + alpha)
    if op == "all_reduce":
        seconds *= 2
    return seconds
