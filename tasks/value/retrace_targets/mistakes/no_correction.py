import torch


@torch.no_grad()
def retrace_targets(q, probs, behav_probs, actions, r, discount, lam):
    T = len(r)
    steps = torch.arange(T, device=r.device)
    chosen = q[steps, actions]
    ratio = probs[steps, actions] / behav_probs
    c = torch.full_like(r, lam)
    value = (probs * q.masked_fill(probs == 0, 0.0)).sum(dim=1)
    targets = torch.zeros_like(r)
    for t in reversed(range(T)):
        later = torch.zeros_like(r[0])
        if t + 1 < T:
            later = c[t + 1] * (targets[t + 1] - chosen[t + 1])
        targets[t] = r[t] + discount[t] * (value[t + 1] + later)
    return targets
