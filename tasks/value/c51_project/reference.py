"""Each value reaches the atoms that are less than one spacing away, with a share that falls linearly to 0."""

import torch


@torch.no_grad()
def c51_project(next_p, r, done, support, gamma):
    """Return the projected target distribution, without gradient.

    Shapes: next_p and the result [B, N]; r, done [B]; support [N].
    Source: arXiv:1707.06887, section 4.2, eq. 7.
    """
    spacing = support[1] - support[0]
    # At an end, every atom of the next state is worth 0; any distribution over them will do.
    future = torch.where(done[:, None], 0.0, gamma * support)
    p = torch.where(done[:, None], 1 / len(support), next_p)
    values = torch.minimum(torch.maximum(r[:, None] + future, support[0]), support[-1])
    # [B, from value, to atom]
    distance = (values[:, :, None] - support).abs() / spacing
    return (p[:, :, None] * (1 - distance).clamp(min=0)).sum(dim=1)
