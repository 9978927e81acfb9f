# expect: wrong
# mistake: Where the episode ended, only the value of the next state is dropped from the target, while the entropy bonus of the next action is still added.
import math

import torch
import torch.nn.functional as F


def gaussian_log_density(x, mean, log_std):
    return -0.5 * ((x - mean) / log_std.exp()).pow(2) - log_std - 0.5 * math.log(2 * math.pi)


def sac_losses(
    q1, q2, q1_next, q2_next, logp_next, q1_pi, q2_pi, mu, log_std, u, scale, r, done, log_alpha, gamma, target_entropy
):
    alpha = log_alpha.exp()
    a = alpha.detach()

    logp = gaussian_log_density(u, mu, log_std) - scale.log()
    logp = logp - 2 * (math.log(2) - u - F.softplus(-2 * u))
    logp = logp.sum(-1)

    q_next = torch.minimum(q1_next, q2_next).detach()
    q_next = torch.where(done, torch.zeros_like(q_next), q_next)
    target = r + gamma * (q_next - a * logp_next.detach())

    critic_loss = (q1 - target).pow(2).mean() + (q2 - target).pow(2).mean()
    actor_loss = -(torch.minimum(q1_pi, q2_pi) - a * logp).mean()
    alpha_loss = (alpha * (-logp.detach() - target_entropy)).mean()
    loss = critic_loss + actor_loss + alpha_loss
    return loss, critic_loss.detach(), actor_loss.detach(), alpha_loss.detach(), logp.detach()
