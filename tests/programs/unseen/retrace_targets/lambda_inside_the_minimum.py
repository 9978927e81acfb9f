# expect: wrong
# mistake: The trace coefficient is the smaller of 1 and lambda times the ratio, instead of lambda times the smaller of 1 and the ratio.
import torch


def retrace_targets(q, probs, behav_probs, actions, r, discount, lam) -> torch.Tensor:
    q, probs = q.detach(), probs.detach()
    T = actions.shape[0]
    v = (probs * q.masked_fill(probs == 0, 0.0)).sum(dim=-1)
    pick = actions.unsqueeze(-1)
    qa = torch.gather(q[:T], -1, pick).squeeze(-1)
    pa = torch.gather(probs[:T], -1, pick).squeeze(-1)
    if lam == 0:
        c = torch.zeros_like(pa)
    else:
        c = torch.clamp(lam * pa / behav_probs.detach(), max=1.0)
    # targets[t] - qa[t] = r + discount * (v[t+1] + c[t+1] * (targets[t+1] - qa[t+1])) - qa[t]
    targets = []
    following = v[T]
    for t in range(T - 1, -1, -1):
        target = r[t] + discount[t] * following
        targets.append(target)
        following = v[t] + c[t] * (target - qa[t])
    return torch.stack(targets[::-1]).detach()
