# expect: wrong
# mistake: A batch with a negative kl leaves the coefficient as it is, like NaN, instead of lowering it by the clipped error of -0.2.
import math


class AdaptiveKLController:
    def __init__(self, init_kl_coef, target, horizon):
        self.value = init_kl_coef
        self.target = target
        self.horizon = horizon

    @property
    def beta(self):
        return float(self.value)

    def update(self, kl, n):
        # Noisy estimates that are not a divergence are of no use here.
        if math.isnan(kl) or kl < 0:
            return self.beta
        proportional_error = kl / self.target - 1
        proportional_error = max(-0.2, min(0.2, proportional_error))
        mult = 1 + proportional_error * n / self.horizon
        self.value *= mult
        return self.beta


def adaptive_kl(init, target, horizon):
    return AdaptiveKLController(init, target, horizon)
