import torch


@torch.no_grad()
def vtrace(behav_logp, target_logp, r, v, v_last, discount, rho_bar=1.0, c_bar=1.0, lam=1.0):
    ratio = torch.exp(target_logp - behav_logp)
    rho = ratio.clamp(max=rho_bar)
    c = lam * ratio.clamp(max=c_bar)
    v_next = torch.cat([v[1:], v_last[None]])
    delta = rho * (r + discount * v_next - v)
    carried = torch.zeros_like(v_last)
    sums = []
    for t in reversed(range(len(r))):
        carried = delta[t] + discount[t] * c[t] * (carried + v_next[t])
        sums.append(carried)
    vs = v + torch.stack(sums[::-1])
    vs_next = torch.cat([vs[1:], v_last[None]])
    pg_adv = rho * (r + discount * vs_next - v)
    return vs, pg_adv
