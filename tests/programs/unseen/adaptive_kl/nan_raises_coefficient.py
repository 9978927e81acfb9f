# expect: wrong
# mistake: A kl of NaN is clipped to an error of 0.2 by min and max and so raises the coefficient, instead of leaving it as it is.
class Controller:
    def __init__(self, init, target, horizon):
        self.beta = float(init)
        self.target = target
        self.horizon = horizon

    def update(self, kl, n):
        error = max(-0.2, min(0.2, (kl - self.target) / self.target))
        new = self.beta * (1 + error * n / self.horizon)
        if new == new:
            self.beta = new
        return self.beta


def adaptive_kl(init, target, horizon):
    return Controller(init, target, horizon)
