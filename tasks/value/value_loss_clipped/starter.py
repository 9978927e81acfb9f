import torch


def value_loss_clipped(v, v_old, returns, mask, eps=0.2) -> torch.Tensor:
    """Return the clipped value loss, a 0-dim tensor to minimize.

    v, v_old, returns: [B, T] float; mask: [B, T] bool, True on the entries that count.
    """
    raise NotImplementedError
