# expect: right
from math import comb


def pass_at_k(n, c, k) -> float:
    everything = comb(n, k)
    return (everything - comb(n - c, k)) / everything
