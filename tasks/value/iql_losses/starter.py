import torch


def iql_losses(
    q, q_target, v, next_v, r, done, logp_a, gamma, tau=0.7, beta=3.0, clip=100.0
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return (loss, v_loss, q_loss, policy_loss), four 0-dim tensors; only the first one carries a gradient.

    q, q_target, v, next_v, r, logp_a: [B] float; done: [B] bool.
    """
    raise NotImplementedError
