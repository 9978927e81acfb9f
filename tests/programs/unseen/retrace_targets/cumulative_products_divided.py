# expect: wrong
# mistake: The products are computed as quotients of cumulative products from the start with a floor of 1e-12, so everything after a zero discount or a zero trace is wrong.
import torch


@torch.no_grad()
def retrace_targets(q, probs, behav_probs, actions, r, discount, lam) -> torch.Tensor:
    T = r.shape[0]
    rows = torch.arange(T)
    values = torch.where(probs > 0, probs * q, torch.zeros_like(q)).sum(dim=1)
    q_taken = q[rows, actions]
    c = lam * (probs[rows, actions] / behav_probs).clamp(max=1.0)
    delta = r + discount * values[1:] - q_taken

    # weight[t] = prod_{i<=t} discount[i-1] * c[i]; the factor from s to t is weight[t] / weight[s]
    factors = torch.cat([torch.ones_like(r[:1]), discount[:-1] * c[1:]])
    weight = factors.cumprod(dim=0)
    weighted = weight * delta
    suffix = weighted.flip(0).cumsum(0).flip(0)
    return q_taken + suffix / weight.clamp(min=1e-12)
