def pass_at_k(n, c, k):
    return 1 - (1 - c / n) ** k
