# expect: wrong
# mistake: The target is the inverse of beta instead of half of it.
import torch
import torch.nn.functional as F


def ipo_loss(pi_w, pi_l, ref_w, ref_l, beta) -> torch.Tensor:
    """Return the IPO loss, a 0-dim tensor to minimize."""
    chosen = pi_w - ref_w.detach()
    rejected = pi_l - ref_l.detach()
    margin = chosen - rejected
    return F.mse_loss(margin, torch.full_like(margin, 1.0 / beta))
