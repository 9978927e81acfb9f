# expect: wrong
# mistake: Each squared error is multiplied by one half, and the actor loss uses q1_pi instead of the lower of the two critic values.
import math

import torch
import torch.nn.functional as F


def actor_log_prob(mu, log_std, u, scale):
    normal = -0.5 * ((u - mu) / log_std.exp()) ** 2 - log_std - 0.5 * math.log(2 * math.pi)
    jacobian = scale.log() + 2 * (math.log(2) - u - F.softplus(-2 * u))
    return (normal - jacobian).sum(-1)


@torch.no_grad()
def critic_target(q1_next, q2_next, logp_next, r, done, alpha, gamma):
    value = torch.minimum(q1_next, q2_next) - alpha * logp_next
    return r + gamma * value.masked_fill(done, 0)


def sac_losses(
    q1, q2, q1_next, q2_next, logp_next, q1_pi, q2_pi, mu, log_std, u, scale, r, done, log_alpha, gamma, target_entropy
):
    alpha = log_alpha.exp()
    logp = actor_log_prob(mu, log_std, u, scale)
    y = critic_target(q1_next, q2_next, logp_next, r, done, alpha, gamma)
    critic_loss = 0.5 * F.mse_loss(q1, y) + 0.5 * F.mse_loss(q2, y)
    actor_loss = (alpha.detach() * logp - q1_pi).mean()
    alpha_loss = (alpha * (-logp.detach() - target_entropy)).mean()
    loss = critic_loss + actor_loss + alpha_loss
    return loss, critic_loss.detach(), actor_loss.detach(), alpha_loss.detach(), logp.detach()
