import torch


@torch.no_grad()
def vtrace(behav_logp, target_logp, r, v, v_last, discount, rho_bar=1.0, c_bar=1.0, lam=1.0):
    ratio = torch.exp(target_logp - behav_logp)
    rho = ratio.clamp(max=rho_bar)
    c = lam * ratio.clamp(max=c_bar)
    v_next = torch.cat([v[1:], v_last[None]])
    delta = rho * (r + discount * v_next - v)
    shares = torch.cat([torch.ones_like(c[:1]), (discount * c)[:-1]]).cumprod(0)
    sums = (delta * shares).flip(0).cumsum(0) / shares.flip(0)
    vs = v + sums.flip(0)
    vs_next = torch.cat([vs[1:], v_last[None]])
    pg_adv = rho * (r + discount * vs_next - v)
    return vs, pg_adv
