import torch
import torch.nn.functional as F


def bradley_terry_loss(r_chosen, r_rejected, margin=0.0):
    m = torch.as_tensor(margin, dtype=torch.float32, device=r_chosen.device).mean()
    diff = r_chosen.float() - r_rejected.float()
    loss = F.softplus(m - diff).mean()
    acc = (diff > 0).float().mean()
    return loss, acc
