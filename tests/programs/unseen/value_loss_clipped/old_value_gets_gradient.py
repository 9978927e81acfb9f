# expect: wrong
# mistake: v_old is not detached in the clipped value, so entries with the larger clipped error send a gradient to v_old.
import torch


def value_loss_clipped(v, v_old, returns, mask, eps=0.2):
    fill = torch.zeros_like(v)
    v_ = torch.where(mask, v, fill)
    old = torch.where(mask, v_old, fill)
    ret = torch.where(mask, returns.detach(), fill)

    clipped = old + torch.clamp(v_ - old, min=-eps, max=eps)
    e1 = (v_ - ret) ** 2
    e2 = (clipped - ret) ** 2
    worst = torch.where(e2 > e1, e2, e1)
    count = mask.sum().clamp(min=1).to(v.dtype)
    return 0.5 * (worst * mask).sum() / count
