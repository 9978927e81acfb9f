import torch


@torch.no_grad()
def c51_project(next_p, r, done, support, gamma):
    """Each atom takes from each value what a tent around it, one spacing wide on each side, gives."""
    spacing = (support[-1] - support[0]) / (len(support) - 1)
    values = r[:, None] + gamma * support[None, :] * (~done[:, None]).to(support.dtype)
    values = values.clamp(min=support[0], max=support[-1])
    # For an ended episode all values are equal, so any distribution serves.
    uniform = torch.full_like(next_p, 1 / len(support))
    p = torch.where(done[:, None], uniform, next_p)
    tent = (1 - (values[:, None, :] - support[None, :, None]).abs() / spacing).clamp(min=0)
    return (tent * p[:, None, :]).sum(dim=2)
