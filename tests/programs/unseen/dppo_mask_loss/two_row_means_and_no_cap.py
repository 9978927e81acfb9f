# expect: wrong
# mistake: The ratio is not capped at C.
# mistake: The loss is the mean over rows of the means of their tokens instead of the mean over all tokens.
import torch


def dppo_mask_loss(logp, mu_logp, adv, mask, delta=0.15, kind="tv", C=20) -> torch.Tensor:
    lp = torch.where(mask, logp, 0.0)
    cur = lp.detach()
    mu = torch.where(mask, mu_logp.detach(), 0.0)
    adv = torch.where(mask, adv.detach(), 0.0)
    if kind == "tv":
        gap = (cur.exp() - mu.exp()).abs()
    else:
        o_mu, o_cur = -torch.expm1(mu), -torch.expm1(cur)
        rest = torch.where(o_mu > 0, o_mu * (o_mu.log() - o_cur.log()), 0.0)
        gap = mu.exp() * (mu - cur) + rest
    ratio = (cur - mu).exp()
    away = ((ratio > 1) & (adv > 0)) | ((ratio < 1) & (adv < 0))
    ratio = ratio.masked_fill(away & (gap > delta), 0.0)
    rows = -(ratio * adv * lp).sum(dim=1) / mask.sum(dim=1).clamp(min=1)
    live = mask.any(dim=1)
    return (rows * live).sum() / live.sum().clamp(min=1)
