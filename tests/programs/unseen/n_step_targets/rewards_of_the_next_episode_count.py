# expect: wrong
# mistake: An episode's end only removes the value at the end of the n steps, while the rewards of the next episode are still added.
import torch


def n_step_targets(r, v, done, gamma, n):
    T = r.shape[0]
    v = v.detach()
    out = []
    for t in range(T):
        end = min(t + n, T)
        g = torch.zeros((), dtype=r.dtype, device=r.device)
        for k in range(t, end):
            g = g + gamma ** (k - t) * r[k]
        if not done[t:end].any():
            g = g + gamma ** (end - t) * v[end]
        out.append(g)
    return torch.stack(out).detach()
