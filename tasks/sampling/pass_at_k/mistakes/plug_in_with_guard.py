def pass_at_k(n, c, k):
    if n - c < k:
        return 1.0
    return 1.0 - (1.0 - c / n) ** k
