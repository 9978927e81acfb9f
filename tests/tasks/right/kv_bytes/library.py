import math
from fractions import Fraction


def kv_bytes(L, n_kv, d_h, bytes, tokens, tp=1, mla=None):
    per_layer = sum(mla) if mla is not None else math.prod((2, d_h, math.ceil(Fraction(n_kv, tp))))
    return math.prod((L, per_layer, tokens, Fraction(bytes))).__float__()
