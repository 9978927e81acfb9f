# expect: wrong
# mistake: The rewards are summed as differences of discounted cumulative sums that are divided by gamma to the power t, which gives NaN for gamma = 0 and loses all precision when that power underflows.
import torch


def n_step_targets(r, v, done, gamma, n):
    T = r.shape[0]
    r, v = r.detach(), v.detach()
    t = torch.arange(T, device=r.device)

    # first step index (exclusive) at which the sum of step t stops
    ends = torch.where(done, t + 1, torch.full_like(t, T + n + 1))
    next_end = ends.flip(0).cummin(0).values.flip(0)
    stop = torch.minimum(t + n, torch.full_like(t, T))
    ended = next_end <= stop
    stop = torch.minimum(stop, next_end)

    disc = torch.tensor(gamma, dtype=r.dtype, device=r.device) ** torch.arange(T + 1, device=r.device)
    csum = torch.cat([r.new_zeros(1), torch.cumsum(r * disc[:T], 0)])
    rewards = (csum[stop] - csum[t]) / disc[t]
    boot = torch.where(ended, torch.zeros_like(r), disc[stop - t] * v[stop])
    return rewards + boot
