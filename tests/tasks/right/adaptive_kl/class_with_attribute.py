import math


class Controller:
    def __init__(self, init, target, horizon):
        self.beta = init
        self.target, self.horizon = target, horizon

    def update(self, kl, n):
        if not math.isnan(kl):
            error = max(-0.2, min(0.2, kl / self.target - 1))
            self.beta *= 1 + error * n / self.horizon
        return self.beta


def adaptive_kl(init, target, horizon):
    return Controller(init, target, horizon)
