# expect: wrong
# mistake: The recursion multiplies the next step's correction by the c of the next step, as in Retrace, instead of the c of the current step.
import torch


@torch.no_grad()
def vtrace(
    behav_logp, target_logp, r, v, v_last, discount, rho_bar=1.0, c_bar=1.0, lam=1.0
) -> tuple[torch.Tensor, torch.Tensor]:
    T = len(r)
    ratio = (target_logp - behav_logp).exp()
    rho = torch.clamp(ratio, max=rho_bar)
    c = lam * torch.clamp(ratio, max=c_bar)
    v_next = torch.cat([v[1:], v_last.unsqueeze(0)], dim=0)
    td = rho * (r + discount * v_next - v)
    corr = torch.zeros_like(v)
    acc = torch.zeros_like(v_last)
    for t in reversed(range(T)):
        if t < T - 1:
            acc = td[t] + discount[t] * c[t + 1] * acc
        else:
            acc = td[t]
        corr[t] = acc
    vs = v + corr
    vs_next = torch.cat([vs[1:], v_last.unsqueeze(0)], dim=0)
    pg_adv = rho * (r + discount * vs_next - v)
    return vs, pg_adv
