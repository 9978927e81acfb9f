import torch


def masked_whiten(x, mask, shift_mean=True, eps=1e-8, unbiased=True) -> torch.Tensor:
    """Return the whitened values, [B, T], 0 at masked positions.

    x: [B, T] float; mask: [B, T] bool, True on the tokens that count.
    """
    raise NotImplementedError
