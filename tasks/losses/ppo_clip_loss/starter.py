import torch


def ppo_clip_loss(
    logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return (loss, clipfrac, approx_kl) of PPO's clipped objective; the loss is minimized.

    logp, old_logp, adv: [B, T] float; mask: [B, T] bool, True on the tokens that count.
    """
    raise NotImplementedError
