import torch


@torch.no_grad()
def retrace_targets(q, probs, behav_probs, actions, r, discount, lam):
    T = len(r)
    steps = torch.arange(T, device=r.device)
    chosen = q[steps, actions]
    ratio = probs[steps, actions] / behav_probs
    c = lam * ratio.clamp(max=1.0)
    value = (probs * q).sum(dim=1)
    targets = torch.zeros_like(r)
    for t in reversed(range(T)):
        later = torch.zeros_like(r[0])
        if t + 1 < T:
            later = c[t + 1] * (targets[t + 1] - chosen[t + 1])
        targets[t] = r[t] + discount[t] * (value[t + 1] + later)
    return targets
