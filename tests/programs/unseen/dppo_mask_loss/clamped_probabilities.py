# expect: wrong
# mistake: Probabilities are kept away from 0 and 1 by 1e-6, so that a divergence that is infinite becomes a small number.
import torch


def dppo_mask_loss(logp, mu_logp, adv, mask, delta=0.15, kind="tv", C=20) -> torch.Tensor:
    logp = torch.where(mask, logp, torch.full_like(logp, -1.0))
    mu_logp = torch.where(mask, mu_logp, torch.full_like(mu_logp, -1.0)).detach()
    adv = torch.where(mask, adv, torch.zeros_like(adv)).detach()

    log_ratio = logp.detach() - mu_logp
    if kind == "tv":
        divergence = (logp.detach().exp() - mu_logp.exp()).abs()
    elif kind == "kl":
        p = logp.detach().exp().clamp(1e-6, 1 - 1e-6)
        m = mu_logp.exp().clamp(1e-6, 1 - 1e-6)
        divergence = m * torch.log(m / p) + (1 - m) * torch.log((1 - m) / (1 - p))
    else:
        raise ValueError(kind)

    moving_away = adv * log_ratio > 0
    keep = ~(moving_away & (divergence > delta))
    weight = log_ratio.exp().clamp(max=C) * keep * mask
    return -(weight * adv * logp).sum() / mask.sum().clamp(min=1)
