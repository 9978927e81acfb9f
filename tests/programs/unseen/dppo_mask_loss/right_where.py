# expect: right
import torch


def _term(a, log_a, log_b):
    # a * (log a - log b), with 0 * log 0 = 0
    return torch.where(a > 0, a * (log_a - log_b), torch.zeros_like(a))


def dppo_mask_loss(logp, mu_logp, adv, mask, delta=0.15, kind="tv", C=20):
    logp = logp.masked_fill(~mask, -1.0)
    with torch.no_grad():
        cur = logp.detach()
        mu = mu_logp.detach().masked_fill(~mask, -1.0)
        a = adv.detach().masked_fill(~mask, 0.0)
        ratio = (cur - mu).exp()
        if kind == "tv":
            div = (cur.exp() - mu.exp()).abs()
        else:
            q_mu = -torch.expm1(mu)
            q_cur = -torch.expm1(cur)
            div = _term(mu.exp(), mu, cur) + _term(q_mu, q_mu.log(), q_cur.log())
        away = ((a > 0) & (cur > mu)) | ((a < 0) & (cur < mu))
        weight = ratio.clamp(max=C)
        weight = torch.where(away & (div > delta), torch.zeros_like(weight), weight)
        coef = torch.where(mask, weight * a, torch.zeros_like(a))
        n = mask.sum().clamp(min=1)
    return -(coef * logp).sum() / n
