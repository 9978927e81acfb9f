# expect: right
import math
from dataclasses import dataclass

MAX_ERROR = 0.2


@dataclass
class Controller:
    beta: float
    target: float
    horizon: int

    def update(self, kl, n):
        kl = float(kl)
        if math.isnan(kl):
            return self.beta
        error = (kl - self.target) / self.target
        if error > MAX_ERROR:
            error = MAX_ERROR
        elif error < -MAX_ERROR:
            error = -MAX_ERROR
        self.beta *= 1.0 + error * n / self.horizon
        return self.beta


def adaptive_kl(init, target, horizon):
    return Controller(float(init), float(target), int(horizon))
