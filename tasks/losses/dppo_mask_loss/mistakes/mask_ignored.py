import torch


def dppo_mask_loss(logp, mu_logp, adv, mask, delta=0.15, kind="tv", C=20):
    with torch.no_grad():
        mu = mu_logp
        advantage = adv.detach()
        p, q = logp.exp(), mu.exp()
        if kind == "tv":
            divergence = (p - q).abs()
        else:
            rest_p, rest_q = -torch.expm1(logp), -torch.expm1(mu)
            divergence = q * (mu - logp) + torch.xlogy(rest_q, rest_q) - torch.xlogy(rest_q, rest_p)
        away = advantage * (logp - mu) > 0
        weight = torch.exp(logp - mu).clamp(max=C)
        weight = weight.masked_fill(away & (divergence > delta), 0.0)
    return -(weight * advantage * logp).mean()
