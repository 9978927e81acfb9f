import math

import torch


def squashed_log_density(mu, log_std, u, scale):
    log_cosh = torch.logaddexp(u, -u) - math.log(2)
    variance = (2 * log_std).exp()
    log_normal = -((u - mu) ** 2) / (2 * variance) - log_std - math.log(math.sqrt(2 * math.pi))
    return (log_normal + 2 * log_cosh).sum(dim=1) - scale.log().sum()


def soft_target(q1, q2, logp, r, done, alpha, gamma):
    target = r.detach().clone()
    alive = ~done
    value = torch.minimum(q1, q2).detach() - alpha * logp.detach()
    target[alive] += gamma * value[alive]
    return target


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
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return (loss, critic_loss, actor_loss, alpha_loss, logp); only `loss` carries a gradient."""
    alpha = log_alpha.exp()
    frozen = alpha.detach()
    logp = squashed_log_density(mu, log_std, u, scale)
    target = soft_target(q1_next, q2_next, logp_next, r, done, frozen, gamma)
    critic_loss = ((q1 - target) ** 2 + (q2 - target) ** 2).mean()
    actor_loss = (frozen * logp - torch.stack((q1_pi, q2_pi)).min(dim=0).values).mean()
    alpha_loss = -(alpha * (logp.detach() + target_entropy)).mean()
    loss = critic_loss + actor_loss + alpha_loss
    return loss, critic_loss.detach(), actor_loss.detach(), alpha_loss.detach(), logp.detach()
