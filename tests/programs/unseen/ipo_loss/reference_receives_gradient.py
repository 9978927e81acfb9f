# expect: wrong
# mistake: The reference log-probabilities are not detached, so ref_w and ref_l receive gradients.
import torch


def ipo_loss(pi_w, pi_l, ref_w, ref_l, beta) -> torch.Tensor:
    log_ratio_w = pi_w - ref_w
    log_ratio_l = pi_l - ref_l
    target = 1 / (2 * beta)
    losses = (log_ratio_w - log_ratio_l - target) ** 2
    return losses.mean()
