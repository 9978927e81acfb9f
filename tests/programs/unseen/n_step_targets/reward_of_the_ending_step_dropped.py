# expect: wrong
# mistake: The reward of the step that ends the episode is left out, instead of being the last one that counts.
import torch


def n_step_targets(r, v, done, gamma, n):
    T = r.shape[0]
    r, v = r.detach(), v.detach()
    targets = torch.zeros(T, dtype=r.dtype, device=r.device)
    alive = torch.ones(T, dtype=torch.bool, device=r.device)
    pos = torch.arange(T, device=r.device)
    zero = torch.zeros_like(r)
    for k in range(min(n, T)):
        idx = pos + k
        inside = idx < T
        j = idx.clamp(max=T - 1)
        alive = alive & ~(inside & done[j])
        targets = targets + torch.where(alive & inside, gamma ** k * r[j], zero)
    last = (pos + n).clamp(max=T)
    disc = torch.tensor([gamma ** int(d) for d in (last - pos)], dtype=r.dtype, device=r.device)
    return targets + torch.where(alive, disc * v[last], zero)
