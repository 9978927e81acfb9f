import torch


def entropy_from_logits(logits, mask) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (mean, per_token): the mean entropy over unmasked positions, 0-dim, and each position's, [...], in nats.

    logits: [..., V] float; mask: [...] bool or None.
    """
    raise NotImplementedError
