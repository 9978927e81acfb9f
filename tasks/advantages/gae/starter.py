import torch


def gae(
    rewards, values, next_value, terminated, truncated, final_values, gamma, lam
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (adv, targets), both [T, B], without gradient.

    rewards, values, final_values: [T, B] float; terminated, truncated: [T, B] bool; next_value: [B] float.
    """
    raise NotImplementedError
