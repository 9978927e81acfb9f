# expect: right
import numpy as np


def pass_at_k(n, c, k) -> float:
    if n - c < k:
        return 1.0
    factors = 1.0 - k / np.arange(n - c + 1, n + 1, dtype=np.float64)
    return float(1.0 - np.prod(factors))
