# expect: wrong
# mistake: The sum is divided by the number of unmasked tokens that were not silenced, instead of by the number of all unmasked tokens.
import torch


@torch.no_grad()
def bernoulli_divergence(lp, lq, kind):
    """lq: behaviour, lp: current."""
    p, q = lp.exp(), lq.exp()
    if kind == "tv":
        return (p - q).abs()
    cp, cq = -torch.expm1(lp), -torch.expm1(lq)
    head = q * (lq - lp)
    tail = cq * (torch.log(cq) - torch.log(cp))
    tail = torch.where(cq > 0, tail, torch.zeros_like(tail))
    return head + tail


def dppo_mask_loss(logp, mu_logp, adv, mask, delta=0.15, kind="tv", C=20):
    lp = logp.masked_fill(~mask, 0.0)
    lq = mu_logp.detach().masked_fill(~mask, 0.0)
    A = adv.detach().masked_fill(~mask, 0.0)

    cur = lp.detach()
    div = bernoulli_divergence(cur, lq, kind)
    moving_away = torch.sign(A) * (cur - lq) > 0
    active = mask & ~((div > delta) & moving_away)
    w = torch.clamp(torch.exp(cur - lq), max=C) * active.to(lp.dtype)
    loss = -(w * A * lp)
    return loss.sum() / active.sum().clamp(min=1)
