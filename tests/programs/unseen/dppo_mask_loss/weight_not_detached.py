# expect: wrong
# mistake: The capped ratio is not held constant, so that the gradient flows through it too.
import torch


def dppo_mask_loss(logp, mu_logp, adv, mask, delta=0.15, kind="tv", C=20) -> torch.Tensor:
    logp = logp.masked_fill(~mask, 0.0)
    mu_logp = mu_logp.detach().masked_fill(~mask, 0.0)
    adv = adv.detach().masked_fill(~mask, 0.0)

    ratio = torch.exp(logp - mu_logp)
    with torch.no_grad():
        p, mu = logp.exp(), mu_logp.exp()
        if kind == "tv":
            divergence = (p - mu).abs()
        else:
            rest_mu, rest_p = -torch.expm1(mu_logp), -torch.expm1(logp)
            second = rest_mu * torch.log(rest_mu / rest_p)
            divergence = mu * (mu_logp - logp) + torch.where(rest_mu == 0, 0.0, second)
        silenced = (divergence > delta) & torch.where(adv > 0, ratio > 1, (ratio < 1) & (adv < 0))
    weight = ratio.clamp(max=C) * (~silenced)
    loss = -(weight * adv * logp)
    return loss.sum() / mask.sum().clamp(min=1)
