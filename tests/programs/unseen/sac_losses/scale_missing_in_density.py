# expect: wrong
# mistake: The log-probability is that of tanh(u), without the logarithm of the scale of each action dimension.
import math

import torch
import torch.nn.functional as F
from torch.distributions import Normal


def sac_losses(
    q1, q2, q1_next, q2_next, logp_next, q1_pi, q2_pi, mu, log_std, u, scale, r, done, log_alpha, gamma, target_entropy
):
    alpha = log_alpha.exp()

    # Policy: Gaussian density, corrected for the squashing.
    dist = Normal(mu, log_std.exp(), validate_args=False)
    logp = dist.log_prob(u).sum(-1)
    logp = logp - (2 * (math.log(2) - u - F.softplus(-2 * u))).sum(-1)

    # Critics
    with torch.no_grad():
        v_next = torch.min(q1_next, q2_next) - alpha * logp_next
        y = r + gamma * v_next.masked_fill(done, 0.0)
    critic_loss = F.mse_loss(q1, y) + F.mse_loss(q2, y)

    # Actor and temperature
    actor_loss = (alpha.detach() * logp - torch.min(q1_pi, q2_pi)).mean()
    alpha_loss = -(alpha * (logp.detach() + target_entropy)).mean()

    loss = critic_loss + actor_loss + alpha_loss
    return loss, critic_loss.detach(), actor_loss.detach(), alpha_loss.detach(), logp.detach()
