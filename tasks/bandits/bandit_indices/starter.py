import torch


def bandit_indices(wins, pulls, eps, u, v) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return (index, choice, posterior): [B, K] float32, [B] int64, and [B, K, 2] float32.

    wins, pulls: [B, K] int64; u, v: [B] float32 draws from [0, 1).
    """
    raise NotImplementedError
