import torch


def vtrace(behav_logp, target_logp, r, v, v_last, discount, rho_bar=1.0, c_bar=1.0, lam=1.0):
    behav_logp, target_logp, r, v, v_last, discount = (
        x.detach() for x in (behav_logp, target_logp, r, v, v_last, discount)
    )
    ratio = torch.exp(target_logp - behav_logp)
    rho = ratio.clamp(max=rho_bar)
    c = lam * ratio.clamp(max=c_bar)
    v_after = torch.cat([v[1:], v_last[None]])
    delta = rho * (r + discount * v_after - v)
    extra = torch.zeros_like(v_last)
    extras = []
    for d, g, k in zip(delta.flip(0), discount.flip(0), c.flip(0), strict=True):
        extra = d + g * k * extra
        extras.append(extra)
    vs = v + torch.stack(extras).flip(0)
    vs_after = torch.cat([vs[1:], v_last[None]])
    return vs, rho * (r + discount * vs_after - v)
