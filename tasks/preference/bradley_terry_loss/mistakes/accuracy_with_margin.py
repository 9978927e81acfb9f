import torch.nn.functional as F


def bradley_terry_loss(r_chosen, r_rejected, margin=0.0):
    diff = r_chosen.float() - r_rejected.float()
    lead = diff - margin
    loss = F.softplus(-lead).mean()
    acc = (lead > 0).float().mean()
    return loss, acc
