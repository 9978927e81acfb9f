import torch


def c51_project(next_p, r, done, support, gamma):
    next_p = next_p.detach()
    batch, count = next_p.shape
    p = next_p.masked_fill(done.unsqueeze(1), 0.0)
    p[:, 0] = torch.where(done, torch.ones_like(r), p[:, 0])
    values = torch.where(done.unsqueeze(1), r.unsqueeze(1), r.unsqueeze(1) + gamma * support)
    place = (values - support[0]) * (count - 1) / (support[-1] - support[0])
    place = place.clamp(0, count - 1)
    low = place.floor()
    high_share = place - low
    target = torch.zeros(batch, count, dtype=next_p.dtype, device=next_p.device)
    target.scatter_add_(1, low.long(), p * (1 - high_share))
    target.scatter_add_(1, (low.long() + 1).clamp(max=count - 1), p * high_share)
    return target
