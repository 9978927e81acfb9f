import torch


def cql_loss(q, a, target, alpha) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (loss, gap), two 0-dim tensors; only the first one carries a gradient.

    q: [B, A] float; a: [B] int64; target: [B] float.
    """
    raise NotImplementedError
