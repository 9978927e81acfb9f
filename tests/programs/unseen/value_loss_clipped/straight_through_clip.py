# expect: wrong
# mistake: The gradient goes straight through the clip, so entries whose clipped value has the larger error still get a gradient.
import torch


def value_loss_clipped(v, v_old, returns, mask, eps=0.2) -> torch.Tensor:
    fill = torch.zeros_like(v)
    value = torch.where(mask, v, fill)
    old = torch.where(mask, v_old.detach(), fill)
    target = torch.where(mask, returns.detach(), fill)

    correction = (torch.clamp(value, old - eps, old + eps) - value).detach()
    clipped = value + correction
    loss = 0.5 * torch.maximum((value - target).square(), (clipped - target).square())
    return loss.sum() / mask.sum().clamp(min=1)
