# expect: wrong
# mistake: The ratio is the quotient of the exponentiated log-probabilities with a floor of 1e-10 under the denominator, so it is wrong for log-probabilities that are far below 0.
import torch


@torch.no_grad()
def vtrace(
    behav_logp, target_logp, r, v, v_last, discount, rho_bar=1.0, c_bar=1.0, lam=1.0
) -> tuple[torch.Tensor, torch.Tensor]:
    prob_target = target_logp.exp()
    prob_behav = behav_logp.exp()
    ratio = prob_target / prob_behav.clamp(min=1e-10)

    rho = torch.clamp(ratio, max=rho_bar)
    c = lam * torch.clamp(ratio, max=c_bar)
    v_next = torch.cat([v[1:], v_last.reshape(1, -1)])
    delta = rho * (r + discount * v_next - v)

    diffs = [torch.zeros_like(v_last)]
    for t in range(r.size(0) - 1, -1, -1):
        diffs.insert(0, delta[t] + discount[t] * c[t] * diffs[0])
    diffs = torch.stack(diffs)
    vs = v + diffs[:-1]
    vs_next = v_next + diffs[1:]
    return vs, rho * (r + discount * vs_next - v)
