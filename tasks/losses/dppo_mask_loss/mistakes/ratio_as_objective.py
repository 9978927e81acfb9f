import torch


def dppo_mask_loss(logp, mu_logp, adv, mask, delta=0.15, kind="tv", C=20):
    adv = adv.detach().masked_fill(~mask, 0.0)
    new = logp.masked_fill(~mask, -1.0)
    old = mu_logp.detach().masked_fill(~mask, -1.0)
    ratio = torch.exp(new - old)
    with torch.no_grad():
        p, q = old.exp(), new.exp()
        div = (p - q).abs()
        if kind == "kl":
            div = p * (old - new) + torch.where(p < 1, (1 - p) * torch.log((1 - p) / (1 - q)), torch.zeros_like(p))
        silenced = (adv * (ratio - 1) > 0) & (div > delta)
    gain = torch.where(silenced, torch.zeros_like(ratio), ratio.clamp(max=C) * adv)
    return -gain.sum() / mask.sum().clamp(min=1)
