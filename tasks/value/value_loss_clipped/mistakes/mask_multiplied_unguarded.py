import torch


def value_loss_clipped(v, v_old, returns, mask, eps=0.2):
    v_old, returns = v_old.detach(), returns.detach()
    v_clip = v_old + torch.clamp(v - v_old, -eps, eps)
    loss = torch.max((v - returns) ** 2, (v_clip - returns) ** 2)
    return 0.5 * (loss * mask).sum() / mask.sum()
