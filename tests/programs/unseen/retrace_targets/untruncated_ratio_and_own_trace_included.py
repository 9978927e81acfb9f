# expect: wrong
# mistake: The ratio is not truncated at 1, and the product of trace coefficients starts with the target's own step instead of the step after it.
import torch


@torch.no_grad()
def retrace_targets(q, probs, behav_probs, actions, r, discount, lam) -> torch.Tensor:
    T = len(r)
    idx = torch.arange(T)
    expected = torch.where(probs > 0, probs * q, 0.0).sum(dim=1)
    q_sa = q[idx, actions]
    trace = lam * probs[idx, actions] / behav_probs
    td = r + discount * expected[1:] - q_sa
    targets = q_sa.clone()
    running = torch.zeros((), dtype=r.dtype)
    for t in range(T - 1, -1, -1):
        running = trace[t] * (td[t] + discount[t] * running)
        targets[t] = q_sa[t] + running
    return targets
