# expect: wrong
# mistake: The factor n / horizon is capped at 1, and the coefficient is kept in float32, so that it is correct only to about seven digits.
import math

import numpy as np


class Controller:
    def __init__(self, init, target, horizon):
        self._coef = np.float32(init)
        self.target = target
        self.horizon = horizon

    @property
    def beta(self):
        return float(self._coef)

    def update(self, kl, n):
        if math.isnan(kl):
            return self.beta
        error = float(np.clip(kl / self.target - 1.0, -0.2, 0.2))
        fraction = min(n / self.horizon, 1.0)
        self._coef = np.float32(self._coef * (1.0 + error * fraction))
        return self.beta


def adaptive_kl(init, target, horizon):
    return Controller(init, target, horizon)
