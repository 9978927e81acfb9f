import torch


def entropy_from_logits(logits, mask) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (mean, per_token): the mean entropy over unmasked places, 0-dim, and each place's entropy, [...], in nats.

    logits: [..., V] float; mask: [...] bool or None.
    """
    raise NotImplementedError
