# expect: wrong
# mistake: The factor one half is missing.
# mistake: The returns are not detached, so they receive a gradient.
import torch


def value_loss_clipped(v, v_old, returns, mask, eps=0.2) -> torch.Tensor:
    v = torch.where(mask, v, 0.0)
    v_old = torch.where(mask, v_old.detach(), 0.0)
    returns = torch.where(mask, returns, 0.0)
    clipped = v_old + (v - v_old).clamp(min=-eps, max=eps)
    per_entry = torch.maximum((v - returns).square(), (clipped - returns).square())
    return per_entry.sum() / mask.sum().clamp(min=1)
