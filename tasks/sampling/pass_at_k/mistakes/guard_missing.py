import math


def pass_at_k(n, c, k):
    def log_choose(a, b):
        return math.lgamma(a + 1) - math.lgamma(b + 1) - math.lgamma(a - b + 1)

    return 1.0 - math.exp(log_choose(n - c, k) - log_choose(n, k))
