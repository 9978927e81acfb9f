import torch


def masked_reduce(x, mask, mode, L_const=None) -> torch.Tensor:
    """Return the reduced value, a 0-dim float32 tensor.

    x: [B, T] float; mask: [B, T] bool, True on the tokens that count; mode: "token", "seq", "seq_sum" or "dr".
    """
    raise NotImplementedError
