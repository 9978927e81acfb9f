import torch
import torch.nn.functional as F


def value_loss_clipped(v, v_old, returns, mask, eps=0.2):
    value = v[mask]
    if value.numel() == 0:
        return value.sum()
    old = v_old[mask].detach()
    target = returns[mask].detach()
    clipped = torch.minimum(torch.maximum(value, old - eps), old + eps)
    plain_error = F.mse_loss(value, target, reduction="none")
    clipped_error = F.mse_loss(clipped, target, reduction="none")
    return 0.5 * clipped_error.mean()
