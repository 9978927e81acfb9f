import math


class Controller:
    def __init__(self, init, target, horizon):
        self.beta = init
        self.target = target
        self.horizon = horizon

    def update(self, kl, n):
        if math.isnan(kl):
            return self.beta
        error = kl / self.target - 1
        error = max(error, -0.2)
        mult = 1 + error * n / self.horizon
        self.beta = self.beta * mult
        return self.beta


def adaptive_kl(init, target, horizon):
    return Controller(init, target, horizon)
