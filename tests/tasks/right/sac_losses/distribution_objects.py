import math

import torch
import torch.nn.functional as F
from torch.distributions import AffineTransform, ComposeTransform, Independent, Normal, Transform, constraints


class Squash(Transform):
    domain = constraints.real
    codomain = constraints.real
    bijective = True
    sign = +1

    def _call(self, x):
        return torch.tanh(x)

    def log_abs_det_jacobian(self, x, y):
        return 2 * math.log(2.0) - 2 * torch.logaddexp(x, -x)


class SquashedGaussian:
    def __init__(self, mu, log_std, scale):
        self.base = Independent(Normal(mu, log_std.exp(), validate_args=False), 1, validate_args=False)
        self.transform = ComposeTransform([Squash(), AffineTransform(torch.zeros_like(scale), scale)])

    def log_prob_of_presquash(self, u):
        jac = self.transform.log_abs_det_jacobian(u, self.transform(u).detach())
        return self.base.log_prob(u) - jac.sum(dim=1)


class Losses:
    def __init__(self, log_alpha, gamma, target_entropy):
        self.log_alpha = log_alpha
        self.temperature = log_alpha.detach().exp()
        self.gamma = gamma
        self.target_entropy = target_entropy

    @torch.no_grad()
    def target(self, q1n, q2n, logpn, r, done):
        out = r.clone()
        alive = ~done
        soft = torch.stack((q1n[alive], q2n[alive])).amin(dim=0) - self.temperature * logpn[alive]
        out[alive] += self.gamma * soft
        return out

    def critic(self, q1, q2, y):
        return F.mse_loss(q1, y) + F.mse_loss(q2, y)

    def actor(self, q1, q2, logp):
        value = torch.stack((q1, q2), dim=-1).min(dim=-1).values + self.temperature * -logp
        return value.mean().neg()

    def alpha(self, logp):
        entropy = -logp.detach().mean()
        return self.log_alpha.exp() * (entropy - self.target_entropy)


def sac_losses(
    q1, q2, q1_next, q2_next, logp_next, q1_pi, q2_pi, mu, log_std, u, scale, r, done, log_alpha, gamma, target_entropy
):
    losses = Losses(log_alpha, gamma, target_entropy)
    logp = SquashedGaussian(mu, log_std, scale).log_prob_of_presquash(u)
    parts = [
        losses.critic(q1, q2, losses.target(q1_next, q2_next, logp_next, r, done)),
        losses.actor(q1_pi, q2_pi, logp),
        losses.alpha(logp),
    ]
    return (sum(parts), *(p.detach() for p in parts), logp.detach())
