import torch
import torch.nn.functional as F


def bradley_terry_loss(r_chosen, r_rejected, margin=0.0):
    diff = r_chosen.float() - r_rejected.float()
    loss = F.softplus(margin - diff).mean()
    acc = (torch.sign(diff.detach()) + 1).mean() / 2
    return loss, acc
