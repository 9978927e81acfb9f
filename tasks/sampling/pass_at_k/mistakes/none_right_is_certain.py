import math


def pass_at_k(n, c, k):
    if c == 0 or n - c < k:
        return 1.0
    return 1.0 - math.comb(n - c, k) / math.comb(n, k)
