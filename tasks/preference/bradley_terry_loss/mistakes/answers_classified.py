import torch.nn.functional as F


def bradley_terry_loss(r_chosen, r_rejected, margin=0.0):
    good, bad = r_chosen.float(), r_rejected.float()
    loss = (F.softplus(margin - good) + F.softplus(bad)).mean() / 2
    acc = (good > bad).float().mean()
    return loss, acc
