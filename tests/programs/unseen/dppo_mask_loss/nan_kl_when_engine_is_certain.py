# expect: wrong
# mistake: With "kl" and an engine probability of exactly 1, zero times log zero gives NaN, so the divergence is never greater than delta and the token is not silenced.
import torch


def dppo_mask_loss(logp, mu_logp, adv, mask, delta=0.15, kind="tv", C=20):
    zeros = torch.zeros_like(logp)
    logp_s = torch.where(mask, logp, zeros)
    mu_s = torch.where(mask, mu_logp, zeros).detach()
    adv_s = torch.where(mask, adv, zeros).detach()

    with torch.no_grad():
        log_ratio = logp_s - mu_s
        pi, mu = torch.exp(logp_s), torch.exp(mu_s)
        if kind == "tv":
            divergence = torch.abs(pi - mu)
        elif kind == "kl":
            log_rest_pi = torch.log(-torch.expm1(logp_s))
            log_rest_mu = torch.log(-torch.expm1(mu_s))
            divergence = -mu * log_ratio + (-torch.expm1(mu_s)) * (log_rest_mu - log_rest_pi)
        else:
            raise ValueError(f"unknown kind: {kind}")
        away = adv_s * log_ratio > 0
        silenced = away & (divergence > delta)
        weight = torch.exp(log_ratio).clamp(max=C) * (~silenced)

    total = (weight * adv_s * logp_s).sum()
    return -total / mask.sum().clamp(min=1)
