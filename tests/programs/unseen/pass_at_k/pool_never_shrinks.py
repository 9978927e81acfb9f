# expect: wrong
# mistake: the wrong samples shrink with each draw but the number of samples in the denominator stays n
def pass_at_k(n, c, k) -> float:
    """Probability of k misses in a row, drawn one after the other, taken from one."""
    wrong = n - c
    if wrong < k:
        return 1.0
    miss = 1.0
    for drawn in range(k):
        miss *= (wrong - drawn) / n
    return 1.0 - miss
