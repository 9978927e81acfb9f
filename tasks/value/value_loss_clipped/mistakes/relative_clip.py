import torch
import torch.nn.functional as F


def value_loss_clipped(v, v_old, returns, mask, eps=0.2):
    value = v[mask]
    if value.numel() == 0:
        return value.sum()
    old = v_old[mask].detach()
    target = returns[mask].detach()
    clipped = old * torch.clamp(value / old, 1 - eps, 1 + eps)
    plain_error = F.mse_loss(value, target, reduction="none")
    clipped_error = F.mse_loss(clipped, target, reduction="none")
    return 0.5 * torch.maximum(plain_error, clipped_error).mean()
