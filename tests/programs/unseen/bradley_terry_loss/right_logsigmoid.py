# expect: right
import torch
import torch.nn.functional as F


def bradley_terry_loss(r_chosen, r_rejected, margin=0.0):
    diff = r_chosen.float() - r_rejected.float()
    loss = -F.logsigmoid(diff - margin).mean()
    with torch.no_grad():
        acc = (diff > 0).float().mean()
    return loss, acc
