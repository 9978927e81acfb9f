import torch


def bradley_terry_loss(r_chosen, r_rejected, margin=0.0):
    lead = r_chosen.float() - r_rejected.float()
    return -torch.log(torch.sigmoid(lead - margin) + 1e-8).mean(), (lead > 0).float().mean()
