import torch


def dueling_head(v, adv, legal) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return the action values [B, A], the greedy actions [B], and their values [B] without gradient.

    v: [B, 1] float; adv: [B, A] float; legal: [B, A] bool.
    """
    raise NotImplementedError
