"""The product always stays between 0 and 1, because no binomial coefficient is computed."""


def pass_at_k(n, c, k):
    """Return the probability that k of n samples, drawn without replacement, include one of the c correct ones.

    Source: arXiv:2107.03374, eq. 1 and figure 3.
    """
    # With fewer than k wrong samples, the factors below can be large and negative, and overflow before one of them is
    # 0.
    if n - c < k:
        return 1.0
    all_wrong = 1.0
    for count in range(n - c + 1, n + 1):
        all_wrong *= 1 - k / count
    return 1 - all_wrong
