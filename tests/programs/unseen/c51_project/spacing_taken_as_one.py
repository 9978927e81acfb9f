# expect: wrong
# mistake: The position of a value on the grid is its distance from the first atom, not divided by the spacing of the atoms.
import torch


@torch.no_grad()
def c51_project(next_p, r, done, support, gamma):
    n = support.numel()
    p = next_p.masked_fill(done.unsqueeze(1), 1.0 / n)
    discount = gamma * (~done).to(r.dtype)
    z = r.unsqueeze(1) + discount.unsqueeze(1) * support
    z = torch.minimum(torch.maximum(z, support[0]), support[-1])

    b = (z - support[0]).clamp(0, n - 1)
    l = b.floor().long()
    u = (l + 1).clamp(max=n - 1)
    frac = b - l
    out = torch.zeros(next_p.shape, dtype=next_p.dtype, device=next_p.device)
    out.scatter_add_(1, l, p * (1 - frac))
    out.scatter_add_(1, u, p * frac)
    return out
