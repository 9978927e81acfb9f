from fractions import Fraction


def pass_at_k(n, c, k):
    # Hand the right samples out to places one by one; each must fall outside of the k places that are looked at.
    missed = Fraction(1)
    for placed in range(c):
        free_outside = n - k - placed
        if free_outside <= 0:
            return 1.0
        missed *= Fraction(free_outside, n - placed)
    return float(1 - missed)
