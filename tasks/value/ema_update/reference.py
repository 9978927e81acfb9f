"""`parameters()` and `buffers()` list tied tensors once, and buffers whether or not they are persistent."""

import torch


@torch.no_grad()
def ema_update(target, online, tau):
    """Move each parameter of the target by `tau` toward the online one, and copy the buffers.

    Source: arXiv:1509.02971, algorithm 1.
    """
    for old, new in zip(target.parameters(), online.parameters(), strict=True):
        old.lerp_(new.to(old.dtype), tau)
    for old, new in zip(target.buffers(), online.buffers(), strict=True):
        old.copy_(new)
