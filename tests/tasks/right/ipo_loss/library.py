import torch
from torch.nn import functional as F


def ipo_loss(pi_w, pi_l, ref_w, ref_l, beta):
    ratios = torch.stack([pi_w, pi_l]) - torch.stack([ref_w, ref_l]).detach()
    margin = ratios[0] - ratios[1]
    return F.mse_loss(margin, torch.full_like(margin, 0.5 / beta))
