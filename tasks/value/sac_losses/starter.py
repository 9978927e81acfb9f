import torch


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
    """Return (loss, critic_loss, actor_loss, alpha_loss, logp); only `loss` carries a gradient.

    mu, log_std, u: [B, A] float; scale: [A] float; log_alpha: 0-dim float; done: [B] bool; all others: [B] float.
    """
    raise NotImplementedError
