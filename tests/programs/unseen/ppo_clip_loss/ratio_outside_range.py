# expect: wrong
# mistake: clipfrac counts every token whose ratio lies outside of the range, also where the plain term is the larger loss
import torch


def masked_mean(x, mask):
    return torch.where(mask, x, torch.zeros_like(x)).sum() / mask.sum().clamp(min=1)


def ppo_clip_loss(
    logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    logp = logp.masked_fill(~mask, 0.0)
    old_logp = old_logp.detach().masked_fill(~mask, 0.0)
    adv = adv.detach().masked_fill(~mask, 0.0)
    logratio = logp - old_logp
    ratio = torch.exp(logratio)

    with torch.no_grad():
        outside = (ratio < 1 - eps_low) | (ratio > 1 + eps_high)
        clipfrac = masked_mean(outside.to(logp.dtype), mask)
        approx_kl = masked_mean((ratio - 1) - logratio, mask)

    pg = torch.max(-adv * ratio, -adv * torch.clamp(ratio, 1 - eps_low, 1 + eps_high))
    if dual_c is not None:
        pg = torch.where(adv < 0, torch.min(pg, -adv * dual_c), pg)
    if reduction == "token":
        return masked_mean(pg, mask), clipfrac, approx_kl
    n = mask.sum(-1)
    per_row = pg.sum(-1) / n.clamp(min=1)
    return per_row[n > 0].sum() / (n > 0).sum().clamp(min=1), clipfrac, approx_kl
