"""The clip bounds one step: n samples change the coefficient by at most a factor of 1 +- 0.2 n / horizon."""

import math

ERROR_MAX = 0.2


class Controller:
    def __init__(self, init, target, horizon):
        self.beta, self.target, self.horizon = init, target, horizon

    def update(self, kl, n):
        if not math.isnan(kl):
            error = kl / self.target - 1
            self.beta *= 1 + max(-ERROR_MAX, min(error, ERROR_MAX)) * n / self.horizon
        return self.beta


def adaptive_kl(init, target, horizon):
    """Return a controller that raises its coefficient while the measured KL is above the target, and lowers it below.

    Units: target in nats, horizon in samples.
    Source: arXiv:1909.08593, section 2.2.
    """
    return Controller(init, target, horizon)
