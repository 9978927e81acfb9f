# expect: right
import torch


@torch.no_grad()
def vtrace(
    behav_logp, target_logp, r, v, v_last, discount, rho_bar=1.0, c_bar=1.0, lam=1.0
) -> tuple[torch.Tensor, torch.Tensor]:
    T = r.shape[0]
    ratio = torch.exp(target_logp - behav_logp)
    rho, c = ratio.clamp(max=rho_bar), lam * ratio.clamp(max=c_bar)
    next_v = torch.cat((v[1:], v_last[None]))
    weighted = rho * (r + discount * next_v - v)

    vs = v.clone()
    for s in range(T):
        factor = torch.ones_like(v_last)
        for t in range(s, T):
            vs[s] += factor * weighted[t]
            factor = factor * discount[t] * c[t]
    next_vs = torch.cat((vs[1:], v_last[None]))
    return vs, rho * (r + discount * next_vs - v)
