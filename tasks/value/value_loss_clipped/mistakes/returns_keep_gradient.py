import torch


def value_loss_clipped(v, v_old, returns, mask, eps=0.2):
    v = v.masked_fill(~mask, 0.0)
    v_old = v_old.detach().masked_fill(~mask, 0.0)
    returns = returns.masked_fill(~mask, 0.0)
    v_clip = v_old + torch.clamp(v - v_old, -eps, eps)
    loss_plain = (v - returns) ** 2
    loss_clip = (v_clip - returns) ** 2
    loss = torch.where(loss_clip > loss_plain, loss_clip, loss_plain)
    return 0.5 * loss.sum() / mask.sum().clamp(min=1)
