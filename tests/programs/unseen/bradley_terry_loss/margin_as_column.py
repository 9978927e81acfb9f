# expect: wrong
# mistake: a margin tensor is made a column, so that each margin is applied to every pair
import torch
from torch.nn import functional as F


def bradley_terry_loss(r_chosen, r_rejected, margin=0.0):
    diff = r_chosen.to(torch.float32) - r_rejected.to(torch.float32)
    if torch.is_tensor(margin):
        margin = margin.to(diff).view(-1, 1)
    loss = F.softplus(margin - diff).mean()
    acc = (diff.detach() > 0).to(torch.float32).mean()
    return loss, acc
