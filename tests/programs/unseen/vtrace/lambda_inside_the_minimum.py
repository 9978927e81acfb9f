# expect: wrong
# mistake: c is the smaller of lambda times the ratio and c_bar, instead of lambda times the smaller of the ratio and c_bar.
import torch


def vtrace(behav_logp, target_logp, r, v, v_last, discount, rho_bar=1.0, c_bar=1.0, lam=1.0):
    with torch.no_grad():
        ratio = (target_logp - behav_logp).exp()
        rho = ratio.clamp(max=rho_bar)
        if lam > 0:
            c = (lam * ratio).clamp(max=c_bar)
        else:
            c = torch.zeros_like(ratio)
        T, B = r.shape
        v_ext = torch.cat([v, v_last.view(1, B)])
        vs_ext = v_ext.clone()
        for t in range(T - 1, -1, -1):
            delta = rho[t] * (r[t] + discount[t] * v_ext[t + 1] - v_ext[t])
            vs_ext[t] = v_ext[t] + delta + discount[t] * c[t] * (vs_ext[t + 1] - v_ext[t + 1])
        pg_adv = rho * (r + discount * vs_ext[1:] - v_ext[:-1])
        return vs_ext[:-1].clone(), pg_adv
