# expect: wrong
# mistake: The divergence uses the engine's probability times the capped ratio as the current probability, so C decides who is silenced, and "tv" is half of the absolute difference of the two probabilities instead of the whole.
import torch


def dppo_mask_loss(logp, mu_logp, adv, mask, delta=0.15, kind="tv", C=20):
    lp = torch.where(mask, logp, torch.zeros_like(logp))
    mu = torch.where(mask, mu_logp.detach(), torch.zeros_like(logp))
    A = torch.where(mask, adv.detach(), torch.zeros_like(logp))

    ratio = (lp.detach() - mu).exp().clamp(max=C)
    q = mu.exp()
    p = q * ratio
    if kind == "tv":
        div = 0.5 * (p - q).abs()
    else:
        one = torch.ones_like(p)
        kl = q * (q / p).log()
        other = (one - q) * ((one - q) / (one - p)).log()
        div = torch.nan_to_num(kl, nan=0.0, posinf=float("inf")) + torch.where(q < 1, other, torch.zeros_like(p))

    bad = (div > delta) & (((A > 0) & (ratio > 1)) | ((A < 0) & (ratio < 1)))
    weight = torch.where(bad, torch.zeros_like(ratio), ratio)
    return -(weight * A * lp).sum() / mask.sum().clamp(min=1)
