# expect: wrong
# mistake: the k samples are drawn with replacement, 1 - (1 - c/n) ** k, which is biased
import math


def pass_at_k(n, c, k) -> float:
    if c == n:
        return 1.0
    return -math.expm1(k * math.log1p(-c / n))
