import torch


def distributed_masked_whiten(x, mask, dp_group, cp_group, eps=1e-8, unbiased=True) -> torch.Tensor:
    """Return this rank's whitened values, [B, T], 0 at masked positions; the statistics are those of the whole batch.

    x: [B, T] float; mask: [B, T] bool; dp_group, cp_group: process groups.
    """
    raise NotImplementedError
