import torch


def value_loss_clipped(v, v_old, returns, mask, eps=0.2):
    v = v.masked_fill(~mask, 0.0)
    v_old = v_old.detach().masked_fill(~mask, 0.0)
    returns = returns.detach().masked_fill(~mask, 0.0)
    loss = (v - returns) ** 2
    return loss.sum() / mask.sum().clamp(min=1)
