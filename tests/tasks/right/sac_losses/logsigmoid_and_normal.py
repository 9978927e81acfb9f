import torch
from torch.distributions import Independent, Normal
from torch.nn.functional import logsigmoid, mse_loss


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
    policy = Independent(Normal(mu, log_std.exp(), validate_args=False), 1, validate_args=False)
    # 1 - tanh(u)^2 = 4 sigmoid(2u) sigmoid(-2u)
    log_jacobian = torch.log(4 * scale) + logsigmoid(2 * u) + logsigmoid(-2 * u)
    logp = policy.log_prob(u) - log_jacobian.sum(dim=-1)

    fixed_alpha = log_alpha.detach().exp()
    bootstrap = torch.stack([q1_next, q2_next]).amin(dim=0) - fixed_alpha * logp_next
    target = (r + gamma * bootstrap.masked_fill(done, 0)).detach()
    critic = mse_loss(q1, target) + mse_loss(q2, target)
    actor = -(torch.where(q1_pi < q2_pi, q1_pi, q2_pi) - fixed_alpha * logp).mean()
    excess = -logp.detach().mean() - target_entropy
    temperature = log_alpha.exp() * excess
    total = critic + actor + temperature
    return (total, *(x.detach() for x in (critic, actor, temperature, logp)))
