def pass_at_k(n, c, k):
    if n - c < k:
        return 1.0
    all_wrong = 1.0
    for draw in range(k + 1):
        all_wrong *= (n - c - draw) / (n - draw) if draw < n else 0.0
    return 1.0 - all_wrong
