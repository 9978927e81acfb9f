import torch


def bradley_terry_loss(r_chosen, r_rejected, margin=0.0):
    diff = r_chosen.float() - r_rejected.float()
    loss = torch.relu(1 + margin - diff).mean()
    acc = (diff > 0).float().mean()
    return loss, acc
