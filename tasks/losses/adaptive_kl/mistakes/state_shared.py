import math


class Controller:
    pass


def adaptive_kl(init, target, horizon):
    Controller.beta = init

    def update(self, kl, n):
        if math.isnan(kl):
            return Controller.beta
        error = min(max(kl / target - 1, -0.2), 0.2)
        Controller.beta *= 1 + error * n / horizon
        return Controller.beta

    Controller.update = update
    return Controller()
