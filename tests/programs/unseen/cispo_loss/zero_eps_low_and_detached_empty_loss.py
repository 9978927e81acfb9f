# expect: wrong
# mistake: eps_low=0 is treated like None and sets no lower bound, and for a fully masked batch the returned 0 does not depend on logp.
import torch


def cispo_loss(logp, old_logp, adv, mask, eps_high=0.2, eps_low=None) -> torch.Tensor:
    count = int(mask.sum())
    if count == 0:
        return torch.zeros((), dtype=logp.dtype, device=logp.device, requires_grad=True)

    lp = logp[mask]
    ratio = torch.exp(lp.detach() - old_logp.detach()[mask])
    low = 1 - eps_low if eps_low else 0.0
    weight = ratio.clamp(low, 1 + eps_high)
    return -(weight * adv.detach()[mask] * lp).sum() / count
