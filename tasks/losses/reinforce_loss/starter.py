import torch


def reinforce_loss(logp, adv, mask, reduction) -> torch.Tensor:
    """Return REINFORCE's loss, a 0-dim tensor to minimize.

    logp: [B, T] float; adv: [B, T] or [B] float; mask: [B, T] bool; reduction: "token", "seq" or "seq_sum".
    """
    raise NotImplementedError
