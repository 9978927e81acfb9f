import torch


@torch.no_grad()
def c51_project(next_p, r, done, support, gamma):
    n = len(support)
    spacing = (support[-1] - support[0]) / (n - 1)
    p = next_p.masked_fill(done[:, None], 1 / n)
    future = (gamma * support).expand(len(r), n).masked_fill(done[:, None], 0.0)
    values = r[:, None] + future
    p = p * ((values >= support[0]) & (values <= support[-1]))
    values = values.clamp(support[0], support[-1])
    place = ((values - support[0]) / spacing).clamp(0, n - 1)
    low, high = place.floor().long(), place.ceil().long()
    on_atom = (low == high).to(p.dtype)
    target = torch.zeros_like(p)
    target.scatter_add_(1, low, p * (high - place + on_atom))
    target.scatter_add_(1, high, p * (place - low))
    return target
