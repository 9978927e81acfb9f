# expect: wrong
# mistake: The log is taken of a sigmoid that is clamped from below at 1e-12, so a pair that is far on the wrong side gets a loss of about 27.6 and no gradient.
import torch


def bradley_terry_loss(r_chosen, r_rejected, margin=0.0):
    delta = r_chosen.float() - r_rejected.float()
    p_win = torch.sigmoid(delta - margin)
    loss = -torch.log(p_win.clamp(min=1e-12)).mean()
    acc = (delta.detach() > 0).float().mean()
    return loss, acc
