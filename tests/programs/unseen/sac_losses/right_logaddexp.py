# expect: right
import math

import torch


def squashed_log_prob(mu, log_std, u, scale):
    """Return the log-density of scale * tanh(u), where u is Gaussian."""
    z = (u - mu) / log_std.exp()
    gaussian = -0.5 * z * z - log_std - 0.5 * math.log(2 * math.pi)
    # 1 - tanh(u)^2 = 1 / cosh(u)^2, and cosh(u) = (e^u + e^-u) / 2.
    log_cosh = torch.logaddexp(u, -u) - math.log(2)
    return (gaussian - scale.log() + 2 * log_cosh).sum(dim=-1)


def sac_losses(
    q1, q2, q1_next, q2_next, logp_next, q1_pi, q2_pi, mu, log_std, u, scale, r, done, log_alpha, gamma, target_entropy
):
    logp = squashed_log_prob(mu, log_std, u, scale.detach())
    alpha = log_alpha.exp()
    fixed_alpha = alpha.detach()

    with torch.no_grad():
        soft_next = torch.minimum(q1_next, q2_next) - fixed_alpha * logp_next
        target = r + gamma * torch.where(done, torch.zeros_like(soft_next), soft_next)
    critic_loss = (q1 - target).square().mean() + (q2 - target).square().mean()
    actor_loss = (fixed_alpha * logp - torch.minimum(q1_pi, q2_pi)).mean()
    alpha_loss = (alpha * (-logp.detach() - target_entropy)).mean()
    loss = critic_loss + actor_loss + alpha_loss
    return loss, critic_loss.detach(), actor_loss.detach(), alpha_loss.detach(), logp.detach()
