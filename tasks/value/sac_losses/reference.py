"""Each network's loss treats everything that comes from another network as a constant, including the temperature."""

import math

import torch
from torch.nn.functional import softplus


def sac_losses(
    q1,
    q2,
    q1_next,
    q2_next,
    logp_next,
    q1_pi,
    q2_pi,
    mu,
    log_std,
    u,
    scale,
    r,
    done,
    log_alpha,
    gamma,
    target_entropy,
):
    """Return the sum of the losses and, detached, the three losses and the log-probabilities of the policy's actions.

    Shapes: mu, log_std, u [B, A]; scale [A]; log_alpha []; all other tensors [B].
    Source: arXiv:1812.05905, sections 4.2, 5 and 6, appendix C.
    """
    gaussian = -0.5 * ((u - mu) / log_std.exp()).square() - log_std - 0.5 * math.log(2 * math.pi)
    # log(1 - tanh(u)^2) in a form that is exact even where tanh(u) is rounded to 1.
    log_slope = 2 * (math.log(2) - u - softplus(-2 * u))
    logp = (gaussian - log_slope - scale.log()).sum(dim=1)

    alpha = log_alpha.detach().exp()
    soft_value = torch.minimum(q1_next, q2_next) - alpha * logp_next
    # torch.where instead of `* ~done`, because 0 * NaN is NaN.
    target = r + torch.where(done, 0.0, gamma * soft_value.detach())
    critic_loss = (q1 - target).square().mean() + (q2 - target).square().mean()
    actor_loss = (alpha * logp - torch.minimum(q1_pi, q2_pi)).mean()
    alpha_loss = -log_alpha.exp() * (logp.detach() + target_entropy).mean()
    loss = critic_loss + actor_loss + alpha_loss
    return loss, critic_loss.detach(), actor_loss.detach(), alpha_loss.detach(), logp.detach()
