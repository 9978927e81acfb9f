import torch


def cispo_loss(logp, old_logp, adv, mask, eps_high=0.2, eps_low=None) -> torch.Tensor:
    """Return CISPO's loss, a 0-dim tensor to minimize.

    logp, old_logp, adv: [B, T] float; mask: [B, T] bool, True on the tokens that count.
    """
    raise NotImplementedError
