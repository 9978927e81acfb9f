# expect: wrong
# mistake: The weights of the lower and the upper atom are swapped, so that the farther atom gets more of the probability.
import torch


def c51_project(next_p, r, done, support, gamma) -> torch.Tensor:
    next_p = next_p.detach()
    B, N = next_p.shape
    vmin, vmax = support[0], support[-1]
    step = (vmax - vmin) / (N - 1)
    target = torch.zeros(B, N, dtype=next_p.dtype, device=next_p.device)
    for i in range(B):
        if done[i]:
            p = torch.ones(1, dtype=next_p.dtype, device=next_p.device)
            z = r[i : i + 1].detach()
        else:
            p = next_p[i]
            z = (r[i] + gamma * support).detach()
        pos = (torch.clamp(z, vmin, vmax) - vmin) / step
        lo = pos.floor().long().clamp(0, N - 1)
        hi = (lo + 1).clamp(max=N - 1)
        frac = pos - lo
        on_atom = frac == 0
        w_lo = torch.where(on_atom, torch.ones_like(frac), frac)
        w_hi = torch.where(on_atom, torch.zeros_like(frac), 1 - frac)
        target[i].index_add_(0, lo, p * w_lo)
        target[i].index_add_(0, hi, p * w_hi)
    return target
