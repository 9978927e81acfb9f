# expect: wrong
# mistake: The coefficient is multiplied by exp(clipped error * n / horizon) instead of by 1 plus that product.
import math


def clip(x, low, high):
    return max(low, min(high, x))


class Controller:
    """Proportional controller that works on the logarithm of the coefficient."""

    def __init__(self, init, target, horizon):
        self.beta = float(init)
        self._target = float(target)
        self._horizon = float(horizon)

    def update(self, kl, n):
        if kl != kl:
            return self.beta
        error = clip(kl / self._target - 1, -0.2, 0.2)
        self.beta = self.beta * math.exp(error * n / self._horizon)
        return self.beta


def adaptive_kl(init, target, horizon):
    return Controller(init, target, horizon)
