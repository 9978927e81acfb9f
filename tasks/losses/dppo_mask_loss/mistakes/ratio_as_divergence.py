import torch


def dppo_mask_loss(logp, mu_logp, adv, mask, delta=0.15, kind="tv", C=20):
    logp = logp.masked_fill(~mask, -1.0)
    mu_logp = mu_logp.detach().masked_fill(~mask, -1.0)
    adv = adv.detach().masked_fill(~mask, 0.0)

    with torch.no_grad():
        ratio = torch.exp(logp - mu_logp)
        p, q = mu_logp.exp(), logp.exp()
        if kind == "tv":
            div = torch.abs(ratio - 1)
        else:
            rest_p, rest_q = 1 - p, 1 - q
            other = torch.where(rest_p > 0, rest_p * torch.log(rest_p / rest_q), torch.zeros_like(p))
            div = p * (mu_logp - logp) + other
        outward = ((adv > 0) & (ratio > 1)) | ((adv < 0) & (ratio < 1))
        keep = ~(outward & (div > delta))
        weight = torch.clamp(ratio, max=C) * keep
    return -(weight * adv * logp).sum() / mask.sum().clamp(min=1)
