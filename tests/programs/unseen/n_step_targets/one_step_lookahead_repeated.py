# expect: right
import torch


@torch.no_grad()
def n_step_targets(r, v, done, gamma, n):
    steps = min(n, r.shape[0])
    g = v.clone()  # zero-step targets; the last entry never changes
    zero = torch.zeros_like(r)
    for _ in range(steps):
        following = torch.where(done, zero, g[1:])
        g = torch.cat([r + gamma * following, v[-1:]])
    return g[:-1].clone()
