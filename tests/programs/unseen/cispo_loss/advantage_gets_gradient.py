# expect: wrong
# mistake: The advantage is not detached, so that adv receives a gradient if it requires one.
import torch


def cispo_loss(logp, old_logp, adv, mask, eps_high=0.2, eps_low=None) -> torch.Tensor:
    idx = mask.nonzero(as_tuple=True)
    lp, old, a = logp[idx], old_logp[idx], adv[idx]
    if lp.numel() == 0:
        return lp.sum()

    with torch.no_grad():
        weight = (lp - old).exp()
        hi = torch.full_like(weight, 1 + eps_high)
        weight = torch.minimum(weight, hi)
        if eps_low is not None:
            lo = torch.full_like(weight, 1 - eps_low)
            weight = torch.maximum(weight, lo)

    return -(weight * a * lp).mean()
