import torch


def dppo_mask_loss(logp, mu_logp, adv, mask, delta=0.15, kind="tv", C=20):
    logp = logp.masked_fill(~mask, -1.0)
    mu_logp = mu_logp.detach().masked_fill(~mask, -1.0)
    adv = adv.detach().masked_fill(~mask, 0.0)
    with torch.no_grad():
        ratio = torch.exp(logp - mu_logp)
        p, q = logp.exp(), mu_logp.exp()
        if kind == "tv":
            div = (p - q).abs()
        else:
            rest = torch.where(p < 1, (1 - p) * torch.log((1 - p) / (1 - q)), torch.zeros_like(p))
            div = p * (logp - mu_logp) + rest
        outward = ((adv > 0) & (ratio > 1)) | ((adv < 0) & (ratio < 1))
        weight = ratio.clamp(max=C).masked_fill(outward & (div > delta), 0.0)
    return -(weight * adv * logp).sum() / mask.sum().clamp(min=1)
