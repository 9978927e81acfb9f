# expect: wrong
# mistake: Only margins below the target are penalized; a margin above it has a loss of 0.
import torch


def ipo_loss(pi_w, pi_l, ref_w, ref_l, beta) -> torch.Tensor:
    margin = (pi_w - ref_w.detach()) - (pi_l - ref_l.detach())
    shortfall = torch.relu(1.0 / (2.0 * beta) - margin)
    return shortfall.pow(2).mean()
