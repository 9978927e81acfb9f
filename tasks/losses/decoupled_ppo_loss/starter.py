import torch


def decoupled_ppo_loss(logp, prox_logp, behav_logp, adv, mask, eps=0.2, w_cap=None) -> torch.Tensor:
    """Return the decoupled PPO loss, a 0-dim tensor to minimize.

    logp, prox_logp, behav_logp, adv: [B, T] float; mask: [B, T] bool, True on the tokens that count.
    """
    raise NotImplementedError
