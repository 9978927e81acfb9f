from fractions import Fraction

import numpy as np


def pipeline_bubble(p, m, v, tf, tb, t_comm=0.0):
    total = Fraction(m * v + p - 1)
    computed = (Fraction(tf) + Fraction(tb)) / v
    sent = 2 * Fraction(t_comm) if p >= 2 else Fraction(0)
    later = np.arange(p)[::-1]
    warm_up = later if v == 1 else 2 * later + p * (v - 1)
    peak = np.minimum(warm_up, m * v - 1) + 1
    return float((p - 1) / total), float(total * (computed + sent)), peak.tolist()
