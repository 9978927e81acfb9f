# expect: right
import torch


@torch.no_grad()
def retrace_targets(q, probs, behav_probs, actions, r, discount, lam) -> torch.Tensor:
    T = len(r)
    steps = torch.arange(T)
    chosen_q = q[steps, actions]
    terms = torch.where(probs > 0, probs * q, torch.zeros_like(q))
    expected = terms.sum(dim=1)
    trace = lam * (probs[steps, actions] / behav_probs).clamp(max=1.0)
    delta = r + discount * expected[1:] - chosen_q

    targets = torch.empty_like(r)
    for s in range(T):
        total = chosen_q[s].clone()
        factor = torch.ones((), dtype=r.dtype)
        for t in range(s, T):
            if t > s:
                factor = factor * discount[t - 1] * trace[t]
            total = total + factor * delta[t]
        targets[s] = total
    return targets
