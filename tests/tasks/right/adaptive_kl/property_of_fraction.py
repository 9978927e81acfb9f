import math
from fractions import Fraction


class Controller:
    """Keep an exact product, so that hundreds of updates add no rounding."""

    def __init__(self, init, target, horizon):
        self._beta = Fraction(init)
        self._target = target
        self._horizon = horizon

    @property
    def beta(self):
        return float(self._beta)

    def update(self, kl, n):
        if kl == kl:
            error = (kl - self._target) / self._target
            if error > 0.2:
                error = 0.2
            elif error < -0.2:
                error = -0.2
            grown = self._beta * (1 + Fraction(error) * n / self._horizon)
            # Fractions would grow without end.
            self._beta = grown.limit_denominator(10**40) if grown.denominator > 10**60 else grown
        return math.fsum([self.beta])


def adaptive_kl(init, target, horizon):
    return Controller(init, target, horizon)
