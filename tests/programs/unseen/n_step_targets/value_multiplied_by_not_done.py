# expect: wrong
# mistake: The value is multiplied by 1 - done instead of being selected, so that NaN in v[T] reaches the targets although the last step ended its episode.
import torch


def n_step_targets(r, v, done, gamma, n):
    T = r.shape[0]
    not_done = 1.0 - done.to(r.dtype)
    v = v.detach()
    targets = torch.empty_like(r)
    for t in range(T):
        horizon = min(n, T - t)
        g = v[t + horizon]
        for k in reversed(range(t, t + horizon)):
            g = r[k] + gamma * not_done[k] * g
        targets[t] = g.detach()
    return targets.detach()
