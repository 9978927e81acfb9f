import torch


@torch.no_grad()
def retrace_targets(q, probs, behav_probs, actions, r, discount, lam):
    T = len(r)
    steps = torch.arange(T, device=r.device)
    chosen = q[steps, actions]
    ratio = (probs[steps, actions] / behav_probs).clamp(max=1e30)
    value = (probs * q.masked_fill(probs == 0, 0.0)).sum(dim=1)
    delta = r + discount * value[1:] - chosen
    targets = torch.zeros_like(r)
    one = torch.ones_like(r[:1])
    for t in range(T):
        product = torch.cat([one, ratio[t + 1 :]]).cumprod(0).clamp(max=1.0)
        factor = torch.cat([one, lam * discount[t:-1]]).cumprod(0)
        targets[t] = chosen[t] + (product * factor * delta[t:]).sum()
    return targets
