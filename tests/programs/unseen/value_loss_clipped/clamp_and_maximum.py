# expect: right
import torch


def value_loss_clipped(v, v_old, returns, mask, eps=0.2) -> torch.Tensor:
    zero = torch.zeros((), dtype=v.dtype, device=v.device)
    v = torch.where(mask, v, zero)
    v_old = torch.where(mask, v_old.detach().to(v.dtype), zero)
    returns = torch.where(mask, returns.detach().to(v.dtype), zero)

    clipped = torch.clamp(v, v_old - eps, v_old + eps)
    worse = torch.maximum((v - returns) ** 2, (clipped - returns) ** 2)
    count = mask.sum().clamp(min=1)
    return 0.5 * worse.sum() / count
