import torch


def off_policy_seq_mask(logp, old_logp, adv, mask, delta) -> torch.Tensor:
    """Return which answers stay in the loss, [B] bool.

    logp, old_logp: [B, T] float; adv: [B] float; mask: [B, T] bool, True on the tokens that count.
    """
    raise NotImplementedError
