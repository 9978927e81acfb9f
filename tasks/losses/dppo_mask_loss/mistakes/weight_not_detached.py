import torch


def dppo_mask_loss(logp, mu_logp, adv, mask, delta=0.15, kind="tv", C=20):
    logp = logp.masked_fill(~mask, -1.0)
    mu_logp = mu_logp.detach().masked_fill(~mask, -1.0)
    adv = adv.detach().masked_fill(~mask, 0.0)
    ratio = torch.exp(logp - mu_logp)
    p, q = mu_logp.exp(), logp.detach().exp()
    if kind == "tv":
        div = (p - q).abs()
    else:
        other = torch.where(p < 1, (1 - p) * torch.log((1 - p) / (1 - q)), torch.zeros_like(p))
        div = p * (mu_logp - logp.detach()) + other
    silenced = (adv * (ratio.detach() - 1) > 0) & (div > delta)
    weight = torch.where(silenced, 0.0, ratio.clamp(max=C))
    return -(weight * adv * logp).sum() / mask.sum().clamp(min=1)
