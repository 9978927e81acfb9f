import torch


def grpo_loss(logp, old_logp, ref_logp, adv, mask, eps, beta) -> torch.Tensor:
    """Return GRPO's loss, a 0-dim tensor to minimize.

    logp, old_logp, ref_logp: [B, T] float (ref_logp may be None when beta is 0); adv: [B] float; mask: [B, T] bool.
    """
    raise NotImplementedError
