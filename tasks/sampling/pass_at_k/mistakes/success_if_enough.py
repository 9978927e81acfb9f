def pass_at_k(n, c, k):
    if c == 0:
        return 0.0
    return 1.0 if c >= k else 1 - (1 - c / n) ** k
