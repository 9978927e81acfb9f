# expect: wrong
# mistake: The clipped value passes the gradient straight through to v, so clipped entries are still pushed, and masked entries are only multiplied by 0, so a NaN there makes the loss NaN.
import torch


def value_loss_clipped(v, v_old, returns, mask, eps=0.2):
    v_old = v_old.detach()
    returns = returns.detach()
    clipped_value = torch.clamp(v.detach(), v_old - eps, v_old + eps)
    v_clip = v + (clipped_value - v.detach())
    err = torch.maximum((v - returns) ** 2, (v_clip - returns) ** 2)
    m = mask.to(v.dtype)
    return 0.5 * (err * m).sum() / m.sum().clamp(min=1.0)
