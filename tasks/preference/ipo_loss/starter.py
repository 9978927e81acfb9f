import torch


def ipo_loss(pi_w, pi_l, ref_w, ref_l, beta) -> torch.Tensor:
    """Return the IPO loss, a 0-dim tensor to minimize.

    pi_w, pi_l, ref_w, ref_l: [B] float, summed log-probabilities of whole answers.
    """
    raise NotImplementedError
