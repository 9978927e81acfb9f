# expect: wrong
# mistake: pg_adv is multiplied by the untruncated ratio instead of by rho.
import torch


@torch.no_grad()
def vtrace(
    behav_logp, target_logp, r, v, v_last, discount, rho_bar=1.0, c_bar=1.0, lam=1.0
) -> tuple[torch.Tensor, torch.Tensor]:
    ratio = torch.exp(target_logp - behav_logp)
    rho = ratio.clamp(max=rho_bar)
    c = ratio.clamp(max=c_bar) * lam

    next_value, next_target = v_last, v_last
    vs, pg_adv = torch.empty_like(v), torch.empty_like(v)
    for t in range(v.shape[0] - 1, -1, -1):
        delta = rho[t] * (r[t] + discount[t] * next_value - v[t])
        vs[t] = v[t] + delta + discount[t] * c[t] * (next_target - next_value)
        pg_adv[t] = ratio[t] * (r[t] + discount[t] * next_target - v[t])
        next_value, next_target = v[t], vs[t]
    return vs, pg_adv
