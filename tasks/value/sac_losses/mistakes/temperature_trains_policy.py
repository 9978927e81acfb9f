import math

import torch
import torch.nn.functional as F


def sac_losses(
    q1, q2, q1_next, q2_next, logp_next, q1_pi, q2_pi, mu, log_std, u, scale, r, done, log_alpha, gamma, target_entropy
):
    normal = -0.5 * ((u - mu) * torch.exp(-log_std)) ** 2 - log_std - 0.5 * math.log(2 * math.pi)
    log_det = 2.0 * (math.log(2.0) - u - F.softplus(-2.0 * u)) + torch.log(scale)
    logp = (normal - log_det).sum(-1)
    alpha = log_alpha.exp()
    with torch.no_grad():
        soft_next = torch.min(q1_next, q2_next) - alpha * logp_next
        target = r + gamma * soft_next.masked_fill(done, 0.0)
    critic_loss = F.mse_loss(q1, target) + F.mse_loss(q2, target)
    actor_loss = (alpha.detach() * logp - torch.min(q1_pi, q2_pi)).mean()
    alpha_loss = -(alpha * (logp + target_entropy)).mean()
    loss = critic_loss + actor_loss + alpha_loss
    return loss, critic_loss.detach(), actor_loss.detach(), alpha_loss.detach(), logp.detach()
