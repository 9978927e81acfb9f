import torch.nn.functional as F


def bradley_terry_loss(r_chosen, r_rejected, margin=0.0):
    acc = (r_chosen > r_rejected).float().mean()
    r_chosen -= margin
    lead = r_chosen.float() - r_rejected.float()
    return F.softplus(-lead).mean(), acc
