import torch


def sapo_loss(logp, old_logp, adv, mask, tau_pos=1.0, tau_neg=1.05) -> torch.Tensor:
    """Return SAPO's loss, a 0-dim tensor to minimize.

    logp, old_logp, adv: [B, T] float; mask: [B, T] bool, True on the tokens that count.
    """
    raise NotImplementedError
