# expect: wrong
# mistake: The temperature loss multiplies the excess of the entropy by log_alpha instead of by alpha.
import math

import torch
import torch.nn.functional as F


def log_one_minus_tanh_squared(x):
    return 2.0 * (math.log(2.0) - x - F.softplus(-2.0 * x))


def sac_losses(
    q1, q2, q1_next, q2_next, logp_next, q1_pi, q2_pi, mu, log_std, u, scale, r, done, log_alpha, gamma, target_entropy
):
    alpha = log_alpha.detach().exp()
    noise = (u - mu) * torch.exp(-log_std)
    per_dim = -0.5 * noise**2 - log_std - 0.5 * math.log(2 * math.pi)
    per_dim = per_dim - log_one_minus_tanh_squared(u) - torch.log(scale)
    logp = per_dim.sum(dim=1)

    next_value = torch.minimum(q1_next, q2_next) - alpha * logp_next
    next_value = torch.where(done, 0.0, next_value.detach())
    target = r.detach() + gamma * next_value
    critic_loss = ((q1 - target) ** 2).mean() + ((q2 - target) ** 2).mean()

    actor_loss = -(torch.minimum(q1_pi, q2_pi) - alpha * logp).mean()

    entropy = -logp.detach()
    alpha_loss = (log_alpha * (entropy - target_entropy)).mean()

    logged = [x.detach() for x in (critic_loss, actor_loss, alpha_loss, logp)]
    return (critic_loss + actor_loss + alpha_loss, *logged)
