import torch


def dppo_mask_loss(logp, mu_logp, adv, mask, delta=0.15, kind="tv", C=20) -> torch.Tensor:
    """Return DPPO's loss, a 0-dim tensor to minimize.

    logp, mu_logp, adv: [B, T] float; mask: [B, T] bool, True on the tokens that count; kind: "tv" or "kl".
    """
    raise NotImplementedError
