import torch


def reinforce_pp_advantage(rewards, kl, mask, beta, baseline=False) -> torch.Tensor:
    """Return the normalized advantage of each token, [B * G, T].

    rewards: [B, G] float; kl: [B * G, T] float; mask: [B * G, T] bool, True on generated tokens.
    """
    raise NotImplementedError
