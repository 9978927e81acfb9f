import torch.nn.functional as F


def bradley_terry_loss(r_chosen, r_rejected, margin=0.0):
    lead = r_chosen.float() - r_rejected.float()
    return F.softplus(margin - lead).mean(), lead.sign().clamp(min=0).mean()
