# expect: wrong
# mistake: c is limited by rho_bar instead of c_bar, and pg_adv is not multiplied by rho.
import torch


@torch.no_grad()
def vtrace(
    behav_logp, target_logp, r, v, v_last, discount, rho_bar=1.0, c_bar=1.0, lam=1.0
) -> tuple[torch.Tensor, torch.Tensor]:
    log_ratio = target_logp - behav_logp
    rho = torch.exp(log_ratio).clamp(max=rho_bar)
    next_values = torch.cat([v[1:], v_last[None]], dim=0)
    deltas = rho * (r + discount * next_values - v)
    gae = torch.zeros_like(v_last)
    out = torch.zeros_like(v)
    for t in range(len(v) - 1, -1, -1):
        gae = deltas[t] + discount[t] * lam * rho[t] * gae
        out[t] = gae
    vs = out + v
    pg_adv = r + discount * torch.cat([vs[1:], v_last[None]], dim=0) - v
    return vs, pg_adv
