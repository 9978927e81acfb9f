# expect: wrong
# mistake: The KL divergence runs from the current coin to the engine's coin instead of the other way round.
import torch


def dppo_mask_loss(logp, mu_logp, adv, mask, delta=0.15, kind="tv", C=20) -> torch.Tensor:
    zero = torch.zeros((), dtype=logp.dtype)
    lp = torch.where(mask, logp, zero)
    mu = torch.where(mask, mu_logp, zero).detach()
    adv = torch.where(mask, adv, zero).detach()
    cur = lp.detach()
    p, rest_p = cur.exp(), -torch.expm1(cur)
    m, rest_m = mu.exp(), -torch.expm1(mu)
    if kind == "tv":
        d = 0.5 * ((p - m).abs() + (rest_p - rest_m).abs())
    else:
        tail = torch.where(rest_p > 0, rest_p * (rest_p.log() - rest_m.log()), zero)
        d = p * (cur - mu) + tail
    blocked = (d > delta) & (((adv > 0) & (cur > mu)) | ((adv < 0) & (cur < mu)))
    w = torch.where(blocked, zero, (cur - mu).exp().clamp(max=C))
    return -(w * adv * lp).sum() / max(int(mask.sum()), 1)
