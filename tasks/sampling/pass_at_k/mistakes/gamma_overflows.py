import math


def pass_at_k(n, c, k):
    if n - c < k:
        return 1.0

    def choose(a, b):
        return math.gamma(a + 1) / (math.gamma(b + 1) * math.gamma(a - b + 1))

    return 1.0 - choose(n - c, k) / choose(n, k)
