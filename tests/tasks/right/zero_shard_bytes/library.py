from fractions import Fraction
from math import ceil


def zero_shard_bytes(psi, N, stage, p_bytes, g_bytes, opt_bytes):
    parts = {"opt": (1, opt_bytes), "grads": (2, g_bytes), "params": (3, p_bytes)}
    kept = {name: ceil(Fraction(psi, N if stage >= first else 1)) * width for name, (first, width) in parts.items()}
    one = Fraction(psi * (N - 1), N)
    return kept | {"comm_elements": float(sum([one] * {0: 2, 1: 2, 2: 2, 3: 3}[stage]))}
