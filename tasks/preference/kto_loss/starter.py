import torch


def kto_loss(logratio, desirable, kl, beta, w_d=1.0, w_u=1.0) -> torch.Tensor:
    """Return the KTO loss, a 0-dim tensor to minimize.

    logratio: [B] float; desirable: [B] bool; kl: 0-dim float.
    """
    raise NotImplementedError
