# expect: wrong
# mistake: the product runs from n - c to n - 1 in place of n - c + 1 to n
import math


def pass_at_k(n, c, k) -> float:
    if n - c < k:
        return 1.0
    return 1.0 - math.prod(1.0 - k / i for i in range(n - c, n))
