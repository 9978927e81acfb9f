# expect: wrong
# mistake: If every entry is masked, the result is a fresh constant 0 that does not depend on v, so backward cannot be called on it.
import torch


def value_loss_clipped(v, v_old, returns, mask, eps=0.2):
    n = int(mask.sum())
    if n == 0:
        return torch.zeros((), dtype=v.dtype, device=v.device)
    cur = v[mask]
    old = v_old[mask].detach()
    tgt = returns[mask].detach()
    bounded = torch.clamp(cur, min=old - eps, max=old + eps)
    errors = torch.stack([(cur - tgt).square(), (bounded - tgt).square()])
    return errors.amax(dim=0).mean() / 2
