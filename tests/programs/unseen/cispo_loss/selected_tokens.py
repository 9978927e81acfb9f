# expect: right
import torch


def cispo_loss(logp, old_logp, adv, mask, eps_high=0.2, eps_low=None) -> torch.Tensor:
    """Return CISPO's loss, a 0-dim tensor to minimise."""
    wide = torch.promote_types(logp.dtype, torch.float32)
    new = logp[mask].to(wide)
    old = old_logp[mask].detach().to(wide)
    a = adv[mask].detach().to(wide)

    ratio = torch.exp(new.detach() - old)
    low = None if eps_low is None else 1 - eps_low
    weight = ratio.clamp(min=low, max=1 + eps_high)

    total = -(weight * a * new).sum()
    return (total / max(new.numel(), 1)).to(logp.dtype)
