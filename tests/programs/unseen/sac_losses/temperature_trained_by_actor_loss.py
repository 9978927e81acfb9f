# expect: wrong
# mistake: alpha is not detached in the actor loss, so that log_alpha gets a gradient from the actor loss as well as from the temperature loss.
import math

import torch
import torch.nn.functional as F


def sac_losses(
    q1, q2, q1_next, q2_next, logp_next, q1_pi, q2_pi, mu, log_std, u, scale, r, done, log_alpha, gamma, target_entropy
):
    alpha = torch.exp(log_alpha)

    std = torch.exp(log_std)
    log_normal = -((u - mu) ** 2) / (2 * std**2) - log_std - math.log(math.sqrt(2 * math.pi))
    log_det = torch.log(scale) + 2 * (math.log(2) - u - F.softplus(-2 * u))
    logp = (log_normal - log_det).sum(dim=-1)

    with torch.no_grad():
        bonus = -alpha * logp_next
        soft_value = torch.minimum(q1_next, q2_next) + bonus
        target = torch.where(done, r, r + gamma * soft_value)

    critic_loss = F.mse_loss(q1, target) + F.mse_loss(q2, target)
    actor_loss = -(torch.minimum(q1_pi, q2_pi) - alpha * logp).mean()
    alpha_loss = (alpha * (-logp - target_entropy).detach()).mean()
    total = critic_loss + actor_loss + alpha_loss
    return total, critic_loss.detach(), actor_loss.detach(), alpha_loss.detach(), logp.detach()
