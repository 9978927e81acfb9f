import torch
from torch.nn import functional as F


def value_loss_clipped(v, v_old, returns, mask, eps=0.2):
    zeros = torch.zeros_like(v_old).detach()
    now, old, goal = (torch.where(mask, x, zeros) for x in (v, v_old.detach(), returns.detach()))
    held = old + F.hardtanh(now - old, -eps, eps)
    plain = F.mse_loss(now, goal, reduction="none")
    excess = F.relu(F.mse_loss(held, goal, reduction="none") - plain)
    return 0.5 * (plain + excess).sum() / mask.count_nonzero().clamp_min(1)
