# expect: wrong
# mistake: The mask is multiplied in at the end, so that NaN at masked positions reaches the loss.
import torch


def value_loss_clipped(v, v_old, returns, mask, eps=0.2) -> torch.Tensor:
    v_old, returns = v_old.detach(), returns.detach()
    m = mask.to(v.dtype)
    v_clipped = v_old + torch.clamp(v - v_old, -eps, eps)
    loss_unclipped = (v - returns) ** 2
    loss_clipped = (v_clipped - returns) ** 2
    loss = torch.max(loss_unclipped, loss_clipped) * m
    return 0.5 * loss.sum() / m.sum().clamp(min=1.0)
