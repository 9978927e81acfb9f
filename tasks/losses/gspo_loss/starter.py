import torch


def gspo_loss(logp, old_logp, adv, mask, eps_low=3e-4, eps_high=4e-4, token_variant=False) -> torch.Tensor:
    """Return GSPO's loss, a 0-dim tensor to minimize.

    logp, old_logp: [B, T] float; adv: [B] float, or [B, T] with token_variant; mask: [B, T] bool.
    """
    raise NotImplementedError
