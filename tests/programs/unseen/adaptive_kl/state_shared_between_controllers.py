# expect: wrong
# mistake: The coefficient is stored on the class, so that all controllers that exist share the most recent one instead of being independent.
from math import isnan


class Controller:
    state = {}

    def __init__(self, init, target, horizon):
        self.state["beta"] = float(init)
        self.state["target"] = target
        self.state["horizon"] = horizon

    @property
    def beta(self):
        return self.state["beta"]

    def update(self, kl, n):
        state = self.state
        if not isnan(kl):
            error = kl / state["target"] - 1.0
            error = min(0.2, max(-0.2, error))
            state["beta"] *= 1.0 + error * (n / state["horizon"])
        return self.beta


def adaptive_kl(init, target, horizon):
    return Controller(init, target, horizon)
