# expect: wrong
# mistake: it is the probability that all k samples are right and not at least one
import math


def pass_at_k(n, c, k) -> float:
    if c < k:
        return 0.0
    return math.comb(c, k) / math.comb(n, k)
