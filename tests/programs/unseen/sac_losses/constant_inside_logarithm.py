# expect: wrong
# mistake: The correction for tanh is log(1 - tanh(u)^2 + 1e-6), which is wrong where tanh(u) is close to 1 or -1.
import torch
import torch.nn.functional as F
from torch.distributions import Normal


def sac_losses(
    q1, q2, q1_next, q2_next, logp_next, q1_pi, q2_pi, mu, log_std, u, scale, r, done, log_alpha, gamma, target_entropy
):
    squashed = torch.tanh(u)
    logp = Normal(mu, log_std.exp(), validate_args=False).log_prob(u)
    logp = logp - torch.log(1 - squashed.pow(2) + 1e-6) - torch.log(scale)
    logp = logp.sum(-1)

    with torch.no_grad():
        soft_q = torch.minimum(q1_next, q2_next) - log_alpha.exp() * logp_next
        backup = r + gamma * torch.where(done, torch.zeros_like(soft_q), soft_q)

    critic_loss = F.mse_loss(q1, backup) + F.mse_loss(q2, backup)
    actor_loss = (log_alpha.exp().detach() * logp - torch.minimum(q1_pi, q2_pi)).mean()
    alpha_loss = -(log_alpha.exp() * (logp + target_entropy).detach()).mean()
    loss = critic_loss + actor_loss + alpha_loss
    return loss, critic_loss.detach(), actor_loss.detach(), alpha_loss.detach(), logp.detach()
