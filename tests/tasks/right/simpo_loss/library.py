import torch
from torch.nn import functional as F


def simpo_loss(avg_logp_w, avg_logp_l, beta=2.0, gamma=1.0):
    logits = torch.sub(avg_logp_w, avg_logp_l).mul(beta).sub(gamma)
    return F.binary_cross_entropy_with_logits(logits, torch.ones_like(logits))
