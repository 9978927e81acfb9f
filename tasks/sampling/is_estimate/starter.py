import torch


def is_estimate(log_w, values, kind, lo=None, hi=None) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the importance-sampling estimate and the effective sample size of each row, [B] each.

    log_w, values: [B, N] float; kind: "is", "snis", "tis" or "mis".
    """
    raise NotImplementedError
