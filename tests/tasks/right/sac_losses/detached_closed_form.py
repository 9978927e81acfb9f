import math

import torch


def sac_losses(
    q1, q2, q1_next, q2_next, logp_next, q1_pi, q2_pi, mu, log_std, u, scale, r, done, log_alpha, gamma, target_entropy
):
    alpha = log_alpha.exp()
    alpha_const = alpha.detach()

    z = (u - mu) * torch.exp(-log_std)
    gauss = -0.5 * z * z - log_std - 0.5 * math.log(2 * math.pi)
    mag = u.abs()
    log_slope = 2 * (math.log(2.0) - mag - torch.log1p(torch.exp(-2 * mag)))
    logp = (gauss - log_slope - torch.log(scale)).sum(-1)

    with torch.no_grad():
        v_next = torch.minimum(q1_next, q2_next) - alpha_const * logp_next
        target = r + gamma * torch.where(done, torch.zeros_like(v_next), v_next)

    critic_loss = ((q1 - target) ** 2).mean() + ((q2 - target) ** 2).mean()
    actor_loss = (alpha_const * logp - torch.minimum(q1_pi, q2_pi)).mean()
    alpha_loss = (alpha * (-logp.detach() - target_entropy)).mean()
    loss = critic_loss + actor_loss + alpha_loss
    return loss, critic_loss.detach(), actor_loss.detach(), alpha_loss.detach(), logp.detach()
