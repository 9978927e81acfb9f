# expect: right
import torch


def log_one_minus_exp(x):
    """log(1 - exp(x)) for x <= 0; minus infinity at 0."""
    return torch.log(-torch.expm1(x))


def dppo_mask_loss(logp, mu_logp, adv, mask, delta=0.15, kind="tv", C=20) -> torch.Tensor:
    live = torch.where(mask, logp, torch.zeros_like(logp))
    with torch.no_grad():
        cur = live.detach()
        old = torch.where(mask, mu_logp, torch.zeros_like(mu_logp))
        gain = torch.where(mask, adv, torch.zeros_like(adv))
        if kind == "tv":
            divergence = (cur.exp() - old.exp()).abs()
        elif kind == "kl":
            here = old.exp() * (old - cur)
            rest = -torch.expm1(old)
            there = rest * (log_one_minus_exp(old) - log_one_minus_exp(cur))
            divergence = here + torch.where(rest > 0, there, torch.zeros_like(there))
        else:
            raise ValueError(f"unknown kind {kind!r}")
        away = ((gain > 0) & (cur > old)) | ((gain < 0) & (cur < old))
        silenced = (divergence > delta) & away
        weight = torch.exp(cur - old).clamp(max=C).masked_fill(silenced, 0.0) * gain
    loss = -(weight * live).sum() / mask.sum().clamp(min=1)
    return loss.to(logp.dtype)
