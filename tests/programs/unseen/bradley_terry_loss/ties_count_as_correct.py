# expect: wrong
# mistake: A pair with two equal scores counts as correct in the accuracy, because the comparison is >= instead of >.
import torch


def bradley_terry_loss(r_chosen, r_rejected, margin=0.0):
    c = r_chosen.float()
    r = r_rejected.float()
    z = c - r - margin
    # -log sigmoid(z) = log(e^0 + e^-z)
    nll = torch.logaddexp(torch.zeros_like(z), -z)
    correct = torch.ge(c, r)
    acc = correct.sum().to(torch.float32) / correct.numel()
    return nll.mean(), acc
