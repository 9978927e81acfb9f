import torch


def value_loss_clipped(v, v_old, returns, mask, eps=0.2):
    v_old, returns = v_old.detach(), returns.detach()
    v_clip = v_old + (v - v_old).clamp(-eps, eps)
    return 0.5 * torch.max((v - returns) ** 2, (v_clip - returns) ** 2).mean()
