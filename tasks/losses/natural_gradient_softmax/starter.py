import torch


def natural_gradient_softmax(logits, grad, legal) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (nat, rate): the natural gradient [B, A] and the rate of increase along it [B].

    logits, grad: [B, A] float; legal: [B, A] bool.
    """
    raise NotImplementedError
