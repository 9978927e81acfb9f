# expect: wrong
# mistake: the margin is added to the lead
# mistake: a tie counts as won in the accuracy
import torch
import torch.nn.functional as F


def bradley_terry_loss(r_chosen, r_rejected, margin=0.0):
    rc, rr = r_chosen.float(), r_rejected.float()
    loss = -F.logsigmoid(rc - (rr - margin)).mean()
    acc = 1.0 - (rc < rr).float().mean()
    return loss, acc
