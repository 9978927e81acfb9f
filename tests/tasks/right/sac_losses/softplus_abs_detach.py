import math

import torch
import torch.nn.functional as F


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
    z = (u - mu) * torch.exp(-log_std)
    gaussian = -0.5 * z.square() - log_std - 0.5 * math.log(2 * math.pi)
    log_slope = 2 * (math.log(2) - u.abs() - F.softplus(-2 * u.abs()))
    logp = (gaussian - log_slope - scale.log()).sum(dim=1)
    alpha = log_alpha.exp()
    with torch.no_grad():
        soft_value = torch.minimum(q1_next, q2_next) - alpha * logp_next
        target = torch.where(done, r, r + gamma * soft_value)
    critic_loss = (q1 - target).square().mean() + (q2 - target).square().mean()
    actor_loss = (alpha.detach() * logp - torch.minimum(q1_pi, q2_pi)).mean()
    alpha_loss = (alpha * (-logp.detach() - target_entropy)).mean()
    loss = critic_loss + actor_loss + alpha_loss
    return loss, critic_loss.detach(), actor_loss.detach(), alpha_loss.detach(), logp.detach()
