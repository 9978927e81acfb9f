import math


def pass_at_k(n, c, k):
    if n - c < k:
        return 1.0
    log_wrong = sum(math.log10(n - c - i) for i in range(k))
    log_all = sum(math.log10(n - i) for i in range(k))
    return round(1.0 - 10 ** (log_wrong - log_all), 4)
