# expect: wrong
# mistake: pg_adv is the rho-weighted TD error, which bootstraps from the critic's value of the next state instead of its V-trace target.
import torch


@torch.no_grad()
def vtrace(
    behav_logp, target_logp, r, v, v_last, discount, rho_bar=1.0, c_bar=1.0, lam=1.0
) -> tuple[torch.Tensor, torch.Tensor]:
    importance = torch.exp(target_logp - behav_logp)
    rho = torch.minimum(importance, torch.full_like(importance, rho_bar))
    trace = lam * torch.minimum(importance, torch.full_like(importance, c_bar))
    values = torch.cat([v, v_last[None, :]], dim=0)
    pg_adv = rho * (r + discount * values[1:] - values[:-1])
    correction = torch.zeros_like(v_last)
    targets = []
    for delta, d, c in zip(pg_adv.flip(0), discount.flip(0), trace.flip(0)):
        correction = delta + d * c * correction
        targets.append(correction)
    vs = v + torch.stack(targets[::-1])
    return vs, pg_adv
