import torch


def dppo_mask_loss(logp, mu_logp, adv, mask, delta=0.15, kind="tv", C=20):
    logp = logp.masked_fill(~mask, 0.0)
    with torch.no_grad():
        mu = mu_logp.masked_fill(~mask, 0.0)
        advantage = adv.detach().masked_fill_(~mask, 0.0)
        p, q = logp.exp(), mu.exp()
        if kind == "tv":
            divergence = (p - q).abs()
        else:
            rest_p, rest_q = -torch.expm1(logp), -torch.expm1(mu)
            divergence = q * (mu - logp) + torch.xlogy(rest_q, rest_q) - torch.xlogy(rest_q, rest_p)
        away = advantage * (logp - mu) > 0
        weight = torch.exp(logp - mu).clamp(max=C)
        weight = weight.masked_fill(away & (divergence > delta), 0.0)
    return -(weight * advantage * logp).sum() / mask.sum().clamp(min=1)
