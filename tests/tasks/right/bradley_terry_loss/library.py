import torch
from torch.nn import functional


def bradley_terry_loss(r_chosen, r_rejected, margin=0.0):
    lead = r_chosen.float() - r_rejected.float()
    loss = functional.binary_cross_entropy_with_logits(lead - margin, torch.ones_like(lead))
    return loss, lead.gt(0).float().mean()
