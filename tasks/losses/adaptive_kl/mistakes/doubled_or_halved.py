import math


class Controller:
    def __init__(self, init, target, horizon):
        self.beta = init
        self.target = target
        self.horizon = horizon

    def update(self, kl, n):
        if math.isnan(kl):
            return self.beta
        mult = 2 if kl > 1.5 * self.target else 0.5 if kl < self.target / 1.5 else 1
        self.beta = self.beta * mult
        return self.beta


def adaptive_kl(init, target, horizon):
    return Controller(init, target, horizon)
