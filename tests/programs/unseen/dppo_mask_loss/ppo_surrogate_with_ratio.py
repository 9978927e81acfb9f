# expect: wrong
# mistake: The term is the capped ratio times the advantage with the gradient through the ratio, so the loss has another value and tokens above the cap get no gradient, instead of a constant weight times adv times logp.
import torch


def dppo_mask_loss(logp, mu_logp, adv, mask, delta=0.15, kind="tv", C=20):
    zero = torch.zeros_like(logp)
    lp = torch.where(mask, logp, zero)
    mu = torch.where(mask, mu_logp.detach(), zero)
    A = torch.where(mask, adv.detach(), zero)

    ratio = torch.exp(lp - mu)
    p, q = lp.detach().exp(), mu.exp()
    if kind == "tv":
        div = (p - q).abs()
    elif kind == "kl":
        np_, nq = -torch.expm1(lp.detach()), -torch.expm1(mu)
        div = torch.special.xlogy(q, q) - q * lp.detach()
        rest = torch.where(nq > 0, nq * (nq.log() - np_.log()), zero)
        div = div + rest
    else:
        raise ValueError(kind)

    outward = ((A > 0) & (ratio > 1)) | ((A < 0) & (ratio < 1))
    keep = ~(outward & (div > delta))
    surrogate = ratio.clamp(max=C) * A * keep
    return -surrogate.sum() / mask.sum().clamp(min=1)
