# expect: wrong
# mistake: Every token whose divergence exceeds delta is silenced, also one whose gradient would move its probability back to the engine's.
import torch


def dppo_mask_loss(logp, mu_logp, adv, mask, delta=0.15, kind="tv", C=20):
    n = mask.sum()
    lp = logp[mask]
    mu = mu_logp.detach()[mask]
    a = adv.detach()[mask]
    with torch.no_grad():
        p, m = lp.exp(), mu.exp()
        if kind == "tv":
            div = (p - m).abs()
        else:
            not_p, not_m = -torch.expm1(lp), -torch.expm1(mu)
            first = m * (mu - lp)
            second = torch.where(not_m == 0, torch.zeros_like(m), not_m * torch.log(not_m / not_p))
            div = first + second
        inside = (div <= delta).to(lp.dtype)
        weight = torch.exp(lp - mu).clamp(max=C) * inside
    if n == 0:
        return lp.sum()
    return -(weight * a * lp).sum() / n
