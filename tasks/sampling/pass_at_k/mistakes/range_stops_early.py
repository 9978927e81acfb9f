def pass_at_k(n, c, k):
    if n - c < k:
        return 1.0
    product = 1.0
    for i in range(n - c + 1, n):
        product *= 1.0 - k / i
    return 1.0 - product
