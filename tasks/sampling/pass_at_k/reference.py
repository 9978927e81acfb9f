"""The product stays between 0 and 1 throughout: no binomial coefficient is ever formed."""


def pass_at_k(n, c, k):
    """Return the probability that k of n samples, drawn without replacement, hold at least one of the c right ones.

    Source: arXiv:2107.03374, eq. 1 and figure 3.
    """
    # With fewer than k wrong samples the factors below are negative and large, and overflow before one of them is zero.
    if n - c < k:
        return 1.0
    all_wrong = 1.0
    for count in range(n - c + 1, n + 1):
        all_wrong *= 1 - k / count
    return 1 - all_wrong
