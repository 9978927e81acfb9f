import torch


@torch.no_grad()
def c51_project(next_p, r, done, support, gamma):
    n = len(support)
    spacing = (support[-1] - support[0]) / (n - 1)
    p = next_p.masked_fill(done[:, None], 1 / n)
    future = (gamma * support).expand(len(r), n).masked_fill(done[:, None], 0.0)
    values = r[:, None] + future
    place = (values - support[0]) / spacing
    low = place.floor().long().clamp(0, n - 2)
    target = torch.zeros_like(p)
    target.scatter_add_(1, low, p * (low + 1 - place))
    target.scatter_add_(1, low + 1, p * (place - low))
    return target
