# expect: wrong
# mistake: The product of the error and n / horizon is clipped to [-0.2, 0.2], instead of the error before it is multiplied by n / horizon.
import math


class Controller:
    def __init__(self, init, target, horizon):
        self.beta = float(init)
        self.target = target
        self.horizon = horizon

    def update(self, kl, n):
        if math.isnan(kl):
            return self.beta
        step = (kl / self.target - 1.0) * (n / self.horizon)
        step = min(max(step, -0.2), 0.2)
        self.beta *= 1.0 + step
        return self.beta


def adaptive_kl(init, target, horizon):
    return Controller(init, target, horizon)
