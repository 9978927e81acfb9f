def pass_at_k(n, c, k):
    if n - c < k:
        return 1.0
    wrong = every = 1.0
    for i in range(k):
        wrong *= n - c - i
        every *= n - i
    return 1.0 - wrong / every
