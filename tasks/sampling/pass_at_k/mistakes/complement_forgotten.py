import math


def pass_at_k(n, c, k):
    return math.comb(n - c, k) / math.comb(n, k)
