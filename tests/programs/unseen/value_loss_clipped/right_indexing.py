# expect: right
import torch


def value_loss_clipped(v, v_old, returns, mask, eps=0.2):
    new = v[mask]
    old = v_old.detach()[mask]
    target = returns.detach()[mask]
    clipped = torch.maximum(torch.minimum(new, old + eps), old - eps)
    err = torch.maximum((new - target) ** 2, (clipped - target) ** 2)
    return 0.5 * err.sum() / max(new.numel(), 1)
