import torch


def maxrl_advantage(success) -> torch.Tensor:
    """Return MaxRL's advantage of each answer, [B, G] float32.

    success: [B, G] bool, one row for each prompt.
    """
    raise NotImplementedError
